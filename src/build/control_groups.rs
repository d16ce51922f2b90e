//! Limits that Linux sets to groups of processes, and that count for memory that is free.
//! `/proc/self/cgroup` names the groups of this process, `/proc/self/mountinfo` says where they are.

use std::fs;
use std::path::Path;

/// The least that the groups of this process, from its own up, still allow.
pub(super) fn free_bytes() -> Option<u64> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    free_in(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"))
}

/// The same, given the lists of the process's groups and of the mounts.
fn free_in(groups: &str, mounts: &str) -> Option<u64> {
    let of_mount = |mount: &str| {
        let version = Version::of_mount(mount)?;
        let mut fields = mount.split(' ').skip(3).map(unescaped);
        let (root, place) = (fields.next()?, fields.next()?);
        let own = groups.lines().find_map(|line| version.own_group(line))?;
        // A mount may show a part of the tree only.
        let own = Path::new(own).strip_prefix(&root).unwrap_or(Path::new(""));
        own.ancestors().filter_map(|group| version.free(&Path::new(&place).join(group))).min()
    };
    mounts.lines().filter_map(of_mount).min()
}

/// A blank in a path of the list of mounts is `\\040`.
fn unescaped(field: &str) -> String {
    field.replace("\\040", " ")
}

/// The two kinds of trees of groups.
#[derive(Clone, Copy)]
enum Version {
    One,
    Two,
}

impl Version {
    /// The kind of a mount that knows limits of memory; `None` for other mounts.
    fn of_mount(mount: &str) -> Option<Self> {
        let (_, kind) = mount.split_once(" - ")?;
        let mut fields = kind.split(' ');
        match fields.next()? {
            "cgroup2" => Some(Self::Two),
            "cgroup" => fields
                .nth(1)?
                .split(',')
                .any(|controller| controller == "memory")
                .then_some(Self::One),
            _ => None,
        }
    }

    /// The process's own group in the tree, if a line of the list of groups tells it.
    fn own_group(self, line: &str) -> Option<&str> {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let is_own = match self {
            Self::One => controllers.split(',').any(|controller| controller == "memory"),
            Self::Two => controllers.is_empty(),
        };
        is_own.then_some(path)
    }

    /// Bytes that a group still allows; `None` without a limit.
    fn free(self, group: &Path) -> Option<u64> {
        let number =
            |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        let (limits, used, cached): (&[&str], _, _) = match self {
            Self::One => (&["memory.limit_in_bytes"], "memory.usage_in_bytes", "total_cache "),
            Self::Two => (&["memory.max", "memory.high"], "memory.current", "file "),
        };
        let limit = limits.iter().filter_map(|name| number(name)).min()?;
        // Cached files are dropped when memory is short.
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|line| line.strip_prefix(cached)?.parse().ok());
        let used = number(used)?.saturating_sub(cached.unwrap_or(0));
        Some(limit.saturating_sub(used))
    }
}

#[cfg(test)]
mod tests {
    use super::free_in;
    use std::fs;
    use std::path::Path;

    fn put(group: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(group).expect("a folder");
        for (name, text) in files {
            fs::write(group.join(name), text).expect("a file");
        }
    }

    #[test]
    fn the_least_limit_of_the_own_group_and_those_above_counts_in_both_versions() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let [two, one] = ["two", "one of memory"].map(|name| place.path().join(name));
        put(&two.join("a"), &[("memory.max", "900\n"), ("memory.current", "100\n")]);
        put(
            &two.join("a/b"),
            &[
                ("memory.max", "max\n"),
                ("memory.high", "700\n"),
                ("memory.current", "300\n"),
                ("memory.stat", "anon 100\nfile 200\n"),
            ],
        );
        put(
            &one.join("c"),
            &[
                ("memory.limit_in_bytes", "500\n"),
                ("memory.usage_in_bytes", "90\n"),
                ("memory.stat", "cache 1\ntotal_cache 40\n"),
            ],
        );
        put(
            &one,
            &[
                ("memory.limit_in_bytes", "9223372036854771712\n"),
                ("memory.usage_in_bytes", "90\n"),
            ],
        );
        let mount = |root: &str, path: &Path, kind: &str| {
            let path = path.display().to_string().replace(' ', "\\040");
            format!("25 30 0:23 {root} {path} rw,nosuid shared:4 - {kind}\n")
        };
        let v2 = mount("/", &two, "cgroup2 cgroup2 rw");
        let v1 = mount("/docker/x", &one, "cgroup cgroup rw,memory");
        let cpu = mount("/", &two, "cgroup cgroup rw,cpu");
        let own = "4:cpu:/c\n5:memory,hugetlb:/docker/x/c\n0::/a/b\n";
        assert_eq!(free_in(own, &v2), Some(600));
        assert_eq!(free_in(own, &v1), Some(450));
        assert_eq!(free_in(own, &(cpu.clone() + &v1 + &v2)), Some(450));
        assert_eq!(free_in("0::/a\n", &v2), Some(800));
        assert_eq!(free_in("0::/other\n", &v2), None);
        assert_eq!(free_in(own, &cpu), None);
        assert_eq!(free_in("", ""), None);
    }
}
