//! The shape of the source tree: which layer names which, that no files use each other in a circle,
//! and words that have no place in it.

#[path = "tidy/imports.rs"]
mod imports;

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, from the bottom up, each with those that its files may use besides
/// itself.
///
/// The probing side (`database` and above) and the building side (`solve`, `build`, `verify`) do not
/// know each other, and `solve` knows neither files nor folders.
const LAYERS: [(&str, &[&str]); 17] = [
    ("rules", &[]),
    ("progress", &["rules"]),
    ("index", &["rules"]),
    ("level", &["index", "rules"]),
    ("kernels", &["level", "index", "rules"]),
    ("table", &["kernels", "level", "index", "rules"]),
    ("folder", &["table", "level", "rules"]),
    ("solve", &["progress", "kernels", "level", "index", "rules"]),
    ("build", &["solve", "folder", "table", "progress", "kernels", "level", "index", "rules"]),
    ("verify", &["folder", "table", "progress", "kernels", "level", "index", "rules"]),
    ("database", &["folder", "table", "level", "index", "rules"]),
    ("export", &["database", "level", "index", "rules"]),
    ("game", &["database", "rules"]),
    ("search", &["game", "database", "level", "index", "rules"]),
    ("play", &["search", "game", "database", "rules"]),
    ("uci", &["search", "game", "database", "rules"]),
    ("grade", &["uci", "search", "game", "database", "level", "index", "rules"]),
];

/// The files that may hold unsafe code; each says why in its first lines.
const UNSAFE_FILES: [&str; 2] = ["src/table/map.rs", "tools/capi/src/lib.rs"];

/// Words that do not belong in the tree, put together here so that this file passes itself.
const UNWANTED: [&str; 10] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("HA", "CK"),
    concat!("issue", " #"),
    concat!("/wo", "rk/"),
    concat!("/tm", "p/team"),
    concat!("db", "g!("),
    concat!("#[", "ignore"),
    concat!("#[", "allow("),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` (a path from the root) with its text; none when it is not there.
fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path.strip_prefix(root()).expect("below the root").to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

fn rust_files() -> Vec<(PathBuf, String)> {
    let all = ["src", "tests", "benches", "examples", "tools"].into_iter().flat_map(files);
    all.filter(|(path, _)| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// The text before a file's unit tests, which may reach anywhere, without comment lines.
fn product_code(text: &str) -> String {
    // `mod tests;` names another file; `mod tests {` is where the tests begin.
    let mut places = text.match_indices("\n#[cfg(test)]\nmod ");
    let end = places.find(|(at, start)| {
        text[at + start.len()..].lines().next().is_some_and(|line| line.ends_with('{'))
    });
    let code = end.map_or(text, |(at, _)| &text[..at]);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The first names of all paths that start at the crate's root: `a` in `crate::a::b`, `a` and `b`
/// in `crate::{a::x, b}`.
fn names_after_crate(code: &str) -> Vec<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let word = |text: &str| text.chars().take_while(|&letter| is_word(letter)).collect::<String>();
    let mut names = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut first = true;
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => first = true,
                _ if depth == 1 && first && is_word(letter) => {
                    names.push(word(&group[at..]));
                    first = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

#[test]
fn names_of_paths_and_groups_are_found() {
    let code = "use crate::rules::Row; use crate::{index::{a, b}, table}; crate::solve::x()";
    assert_eq!(names_after_crate(code), ["rules", "index", "table", "solve"]);
}

#[test]
fn a_module_names_only_itself_and_lower_layers() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for (path, text) in files("src") {
        let parts: Vec<_> = path.iter().skip(1).map(|part| part.to_string_lossy()).collect();
        let module = parts[0].trim_end_matches(".rs");
        if matches!(module, "lib" | "main" | "cli") {
            continue;
        }
        let Some((_, lower)) = LAYERS.iter().find(|(name, _)| *name == module) else {
            faults.push(format!("{}: '{module}' is not a known layer", path.display()));
            continue;
        };
        seen += 1;
        let code = product_code(&text);
        for name in names_after_crate(&code) {
            if name != module && !lower.contains(&name.as_str()) {
                faults.push(format!("{}: {module} may not name {name}", path.display()));
            }
        }
        let to_the_root = if path.ends_with("mod.rs") { "super::" } else { "super::super::" };
        if parts.len() == 2 && code.contains(to_the_root) {
            faults.push(format!("{}: leaves its layer by {to_the_root}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 15, "only {seen} files looked at");
}

#[test]
fn the_top_level_holds_nothing_unexpected() {
    const KNOWN: [&str; 17] = [
        "Cargo.toml",
        "Cargo.lock",
        "src",
        "tools",
        "data",
        "benches",
        "examples",
        "scripts",
        "tests",
        "docs",
        "rustfmt.toml",
        "clippy.toml",
        "deny.toml",
        "rust-toolchain.toml",
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    // What building and using it leaves behind, kept out of the repository.
    const LEFT_BEHIND: [&str; 2] = ["target", "tables"];
    let entries = fs::read_dir(root()).expect("the root").map(|entry| entry.expect("an entry"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let unexpected: Vec<_> = names
        .filter(|name| !KNOWN.contains(&name.as_str()) && !LEFT_BEHIND.contains(&name.as_str()))
        .filter(|name| !name.starts_with('.') && !name.starts_with("LICENSE"))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
}

#[test]
fn rules_and_index_know_no_files_and_no_threads() {
    let mut faults = Vec::new();
    for (path, text) in files("src/rules").into_iter().chain(files("src/index")) {
        for word in ["std::fs", "std::io", "std::thread", "std::path", "rayon", "memmap2"] {
            if product_code(&text).contains(word) {
                faults.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let texts: Vec<(String, String)> = files("src")
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|end| end == "rs"))
        .filter(|(path, _)| !path.ends_with("tests.rs"))
        .map(|(path, text)| (path.to_string_lossy().into_owned(), product_code(&text)))
        .collect();
    let named = texts.iter().map(|(name, code)| (name.as_str(), code.as_str()));
    let (arrows, circles) = imports::circles(named);
    assert!(arrows > texts.len(), "only {arrows} uses found among {} files", texts.len());
    let faults: Vec<_> = circles
        .iter()
        .map(|circle| format!("a circle:\n  {}", circle.arrows.join("\n  ")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn messages_of_the_libraries_name_no_commands_and_no_options() {
    let mut faults = Vec::new();
    let own = files("src").into_iter().filter(|(path, _)| !path.starts_with("src/cli"));
    let others = files("tools/capi/src").into_iter().chain(files("tools/capi/include"));
    let is_option = |text: &str| {
        text.match_indices("--").any(|(at, _)| {
            let after = text[at + 2..].starts_with(|letter: char| letter.is_ascii_lowercase());
            after && !text[..at].ends_with('-')
        })
    };
    for (path, text) in own.chain(others) {
        for (number, line) in (1..).zip(product_code(&text).lines()) {
            // Every second part of a line is in quotes, but for quotes that are escaped.
            let quoted: Vec<_> = line.split('"').skip(1).step_by(2).collect();
            if quoted.iter().any(|text| is_option(text) || text.contains("`oware ")) {
                faults.push(format!("{}: line {number} of code: {line}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is() {
    let mut faults = Vec::new();
    for (path, text) in rust_files() {
        if !text.starts_with("//!") && !text.starts_with("#!") {
            faults.push(format!("{}: does not open with //!", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn unsafe_code_stays_in_the_files_named_for_it() {
    let mut faults = Vec::new();
    for (path, text) in rust_files() {
        let code = product_code(&text);
        let name = path.to_string_lossy();
        let is_named = UNSAFE_FILES.contains(&name.as_ref());
        let is_unsafe = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "(unsafe("]
            .iter()
            .any(|word| code.contains(word));
        let says_why = text.contains("expect(unsafe_code, reason = ")
            || text.contains("expect(\n    unsafe_code,\n    reason = ");
        if path != Path::new("tests/tidy.rs") && (is_unsafe, is_unsafe) != (is_named, says_why) {
            faults.push(format!("{name}: unsafe {is_unsafe}, named {is_named}, why {says_why}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_unwanted_words_and_no_catch_all_names() {
    let folders = [
        "src", "tests", "benches", "examples", "tools", "docs", "scripts", "data", ".ci", ".github",
    ];
    let mut texts: Vec<_> = folders.into_iter().flat_map(files).collect();
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml"] {
        texts.extend(fs::read_to_string(root().join(name)).ok().map(|text| (name.into(), text)));
    }
    let mut faults = Vec::new();
    for (path, text) in texts {
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(word) = UNWANTED.iter().find(|word| line.contains(**word)) {
                faults.push(format!("{}:{number}: {word}", path.display()));
            }
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let is_rust = path.extension().is_some_and(|end| end == "rs");
        if matches!(stem.as_deref(), Some("utils" | "util" | "common" | "misc" | "prelude")) {
            faults.push(format!("{}: says nothing", path.display()));
        }
        if is_rust && text.lines().any(is_glob) {
            faults.push(format!("{}: a glob import", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// `use …::*`, other than a test module's `use super::*` and what rayon, proptest and
/// PyO3 are used with.
fn is_glob(line: &str) -> bool {
    let line = line.trim_start();
    let is_use = line.starts_with("use ") || line.starts_with("pub use ");
    let usual = [
        "use super::*;",
        "use rayon::prelude::*;",
        "use proptest::prelude::*;",
        "use pyo3::prelude::*;",
    ];
    is_use && line.contains("::*") && !usual.contains(&line)
}
