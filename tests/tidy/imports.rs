//! Which file of `src/` uses which other, read from their paths, and the circles among them.
//!
//! An arrow goes from a file to each file that defines something it names: `use` statements, and
//! paths in the code that start at the crate, at `super`, at a module of the file or at an imported
//! one. Re-exports are followed to the definition, and a `mod.rs` that passes something on does not
//! use it. So a module's parts may use each other through `super::`, and what stands in `mod.rs`
//! itself, as long as `mod.rs` does not use them in turn.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// A module's names from the crate's root on.
type Module = Vec<String>;

/// Names of the files of one circle, with the arrows between them.
#[derive(Debug)]
pub(crate) struct Circle {
    pub(crate) files: Vec<String>,
    /// `a.rs → b.rs (X, Y)`.
    pub(crate) arrows: Vec<String>,
}

/// A `use` of one name.
#[derive(Debug)]
struct Use {
    path: Vec<String>,
    name: String,
    is_passed_on: bool,
}

#[derive(Debug)]
struct File {
    name: String,
    module: Module,
    uses: Vec<Use>,
    /// The code without its `use` and `mod` statements.
    code: String,
}

/// Where a path leads.
#[derive(Debug)]
enum Found {
    Module(Module),
    /// Something defined in this module's file.
    Item(Module),
}

#[derive(Debug)]
struct Files(BTreeMap<Module, File>);

/// The circles among files given with their names, from `src/` on, and their code without comments
/// and tests.
pub(crate) fn circles<'text>(
    files: impl Iterator<Item = (&'text str, &'text str)>,
) -> (usize, Vec<Circle>) {
    let files = Files::new(files);
    let arrows = files.arrows();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|(from, _)| (from.as_str(), reachable(&arrows, from))).collect();
    let is_reached = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for &file in reached.keys().filter(|file| is_reached(file, file)) {
        if seen.contains(file) {
            continue;
        }
        let of_circle = |other: &&str| is_reached(file, other) && is_reached(other, file);
        let members: BTreeSet<&str> = reached.keys().copied().filter(of_circle).collect();
        seen.extend(members.iter().copied());
        let inner = arrows.iter().filter(|((from, to), _)| {
            members.contains(from.as_str()) && members.contains(to.as_str())
        });
        let arrows = inner.map(|((from, to), names)| {
            format!("{from} → {to} ({})", names.iter().cloned().collect::<Vec<_>>().join(", "))
        });
        let files = members.iter().map(|&name| name.to_owned()).collect();
        circles.push(Circle { files, arrows: arrows.collect() });
    }
    (arrows.len(), circles)
}

/// From file to file, with the names that are used.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

fn reachable<'files>(arrows: &'files Arrows, from: &str) -> BTreeSet<&'files str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for (_, to) in arrows.keys().filter(|(start, _)| start == file) {
            if found.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    found
}

impl Files {
    fn new<'text>(files: impl Iterator<Item = (&'text str, &'text str)>) -> Self {
        let statement =
            Regex::new(r"(?m)^[ \t]*(pub(?:\([a-z ]+\))?[ ])?use ([^;]+);").expect("an expression");
        let part =
            Regex::new(r"(?m)^[ \t]*(?:pub(?:\([a-z ]+\))? )?mod \w+;").expect("an expression");
        let condition = Regex::new(r"#\[cfg\([^\]]*\)\]").expect("an expression");
        let mut found = BTreeMap::new();
        for (name, code) in files {
            // The name of a feature is not a use of what has the same name.
            let code = &condition.replace_all(code, "");
            let module: Module = name
                .trim_start_matches("src/")
                .trim_end_matches(".rs")
                .split('/')
                .filter(|part| !matches!(*part, "mod" | "lib" | "main"))
                .map(str::to_owned)
                .collect();
            let mut uses = Vec::new();
            for parts in statement.captures_iter(code) {
                let tree = parts[2].split_whitespace().collect::<Vec<_>>().join(" ");
                expand(&tree, &mut Vec::new(), parts.get(1).is_some(), &mut uses);
            }
            let code = statement.replace_all(code, "");
            let code = part.replace_all(&code, "").into_owned();
            // The two roots, of the library and of the program, share a place.
            let file = found.entry(module.clone()).or_insert_with(|| File {
                name: name.to_owned(),
                module,
                uses: Vec::new(),
                code: String::new(),
            });
            file.uses.extend(uses);
            file.code += &code;
        }
        Self(found)
    }

    fn has_parts(&self, module: &Module) -> bool {
        self.0.keys().any(|other| other.len() > module.len() && other.starts_with(module))
    }

    fn resolve(&self, from: &Module, path: &[String], depth: u8) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => from.split_last()?.1.to_vec(),
            _ => match self.step(from, first, depth)? {
                // What is neither a part nor imported comes from elsewhere.
                Found::Item(module) if module == *from => return None,
                Found::Item(module) => return Some(Found::Item(module)),
                Found::Module(module) => module,
            },
        };
        for name in rest {
            at = if name == "super" {
                at.split_last()?.1.to_vec()
            } else {
                match self.step(&at, name, depth)? {
                    Found::Item(module) => return Some(Found::Item(module)),
                    Found::Module(module) => module,
                }
            };
        }
        Some(Found::Module(at))
    }

    /// What a name means in a module: a part of it, what its file imports, what its file defines.
    fn step(&self, at: &Module, name: &str, depth: u8) -> Option<Found> {
        let part: Module = at.iter().cloned().chain([name.to_owned()]).collect();
        if self.0.contains_key(&part) {
            return Some(Found::Module(part));
        }
        let imported = self.0.get(at)?.uses.iter().find(|import| import.name == name);
        match imported {
            Some(import) if import.path != [name] && depth < 20 => {
                self.resolve(at, &import.path, depth + 1)
            }
            _ => Some(Found::Item(at.clone())),
        }
    }

    fn arrows(&self) -> Arrows {
        let in_code = Regex::new(r"\b[a-z_]\w*(?:::\w+)+").expect("an expression");
        let mut arrows = Arrows::new();
        for file in self.0.values() {
            let mut add = |to: Module, name: &str| {
                if to != file.module {
                    let arrow = (file.name.clone(), self.0[&to].name.clone());
                    arrows.entry(arrow).or_default().insert(name.to_owned());
                }
            };
            for import in &file.uses {
                let is_used = || {
                    let word = Regex::new(&format!(r"\b{}\b", import.name)).expect("a word");
                    word.is_match(&file.code)
                };
                if import.is_passed_on && !is_used() {
                    continue;
                }
                match self.resolve(&file.module, &import.path, 0) {
                    Some(Found::Item(module)) => add(module, &import.name),
                    // What is used of a module that has parts is seen where it is named.
                    Some(Found::Module(module)) if !self.has_parts(&module) => {
                        add(module, &import.name);
                    }
                    _ => {}
                }
            }
            for path in in_code.find_iter(&file.code) {
                let path: Vec<String> = path.as_str().split("::").map(str::to_owned).collect();
                if let Some(Found::Item(module)) = self.resolve(&file.module, &path, 0) {
                    add(module, &path[path.len() - 1]);
                }
            }
        }
        arrows
    }
}

/// The names of a `use` statement's tree, blanks between words only.
fn expand(tree: &str, before: &mut Vec<String>, is_passed_on: bool, uses: &mut Vec<Use>) {
    let tree = tree.trim();
    if let Some((path, group)) = tree.split_once('{') {
        let depth = before.len();
        before.extend(
            path.split("::").filter(|part| !part.is_empty()).map(|part| part.trim().to_owned()),
        );
        let group = group.strip_suffix('}').unwrap_or(group);
        let mut open = 0;
        let is_end = |mark: char| {
            open += i32::from(mark == '{') - i32::from(mark == '}');
            mark == ',' && open == 0
        };
        for tree in group.split(is_end).filter(|tree| !tree.trim().is_empty()) {
            expand(tree, before, is_passed_on, uses);
        }
        before.truncate(depth);
        return;
    }
    let (path, alias) =
        tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
    let names = path.split("::").filter(|part| !part.is_empty()).map(|part| part.trim().to_owned());
    let mut path: Vec<String> = before.iter().cloned().chain(names).collect();
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    let name = alias.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
    uses.push(Use { path, name, is_passed_on });
}

#[test]
fn circles_are_found_through_what_is_passed_on_and_only_where_something_is_used() {
    let sound = [
        ("src/lib.rs", "pub mod a;\npub mod b;\n"),
        (
            "src/a/mod.rs",
            "mod x;\nmod y;\n#[cfg(feature = \"X\")]\npub use x::X;\npub use y::{Y, Z as W};\npub struct V;\n",
        ),
        ("src/a/x.rs", "use super::{V, W, Y};\npub struct X(Y, W, V);\n"),
        ("src/a/y.rs", "use std::{fmt, io::{self, Read}};\npub struct Y;\npub struct Z;\n"),
        ("src/b.rs", "use crate::a::{self, X};\nfn f(_: a::Y) {}\n"),
    ];
    assert_eq!(circles(sound.into_iter()).1.len(), 0);
    let with = |name: &'static str, code: &'static str| {
        let files = sound.map(|(file, text)| (file, if file == name { code } else { text }));
        let (_, mut circles) = circles(files.into_iter());
        assert_eq!(circles.len(), 1, "{name}: {circles:?}");
        circles.remove(0)
    };
    // Between two files of a module.
    let circle = with("src/a/y.rs", "pub struct Y;\npub struct Z(super::X);\n");
    assert_eq!(circle.arrows, ["src/a/x.rs → src/a/y.rs (W, Y)", "src/a/y.rs → src/a/x.rs (X)"]);
    // Between modules.
    let circle = with("src/a/y.rs", "use crate::b;\npub struct Y;\npub fn Z() { b::f() }\n");
    assert_eq!(circle.files, ["src/a/x.rs", "src/a/y.rs", "src/b.rs"]);
    // Between a part and what stands in `mod.rs`, which uses the part.
    let parent = "mod x;\nmod y;\npub use x::X;\npub struct Y;\npub struct W(X);\n";
    assert_eq!(with("src/a/mod.rs", parent).files, ["src/a/mod.rs", "src/a/x.rs"]);
}
