//! What jobs left on this machine.

use std::collections::BTreeSet;
use std::fs;

/// Folders of jobs, and processes that were started from here and still run.
pub(crate) fn leftovers() -> BTreeSet<String> {
    let mut found = processes();
    for entry in fs::read_dir(tempfile::env::temp_dir()).unwrap() {
        let name = entry.unwrap().file_name();
        if name.to_string_lossy().starts_with("ctxlab-") {
            found.insert(format!("the folder {}", name.display()));
        }
    }
    found
}

#[cfg(target_os = "linux")]
fn processes() -> BTreeSet<String> {
    use std::collections::BTreeMap;

    // Whoever loses its parent becomes a child of this process.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    let mut all: BTreeMap<u32, (u32, String)> = BTreeMap::new();
    for entry in fs::read_dir("/proc").unwrap() {
        let name = entry.unwrap().file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        // "42 (python3) S 17 …"; it may be gone by now.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let Some((command, rest)) = stat.rsplit_once(')') else {
            continue;
        };
        let mut rest = rest.split_whitespace();
        let (state, parent) = (rest.next().unwrap(), rest.next().unwrap());
        if state != "Z" {
            all.insert(pid, (parent.parse().unwrap(), format!("{command})")));
        }
    }
    let is_ours = |mut pid: u32| {
        while let Some((parent, command)) = all.get(&pid) {
            // What runs in containers is asked of their engine.
            if command.ends_with("(dockerd)") || command.ends_with("(containerd-shim)") {
                return false;
            }
            if *parent == std::process::id() {
                return true;
            }
            pid = *parent;
        }
        false
    };
    let ours = all.iter().filter(|&(&pid, _)| is_ours(pid));
    ours.map(|(_, (_, command))| format!("the process {command}"))
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn processes() -> BTreeSet<String> {
    BTreeSet::new()
}
