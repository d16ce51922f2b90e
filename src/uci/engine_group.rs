//! The processes of engines: each engine leads a process group of its own, which ends as a whole.
//!
//! An engine may be a shell script that starts the program, or start helpers. On Unix all of them
//! are in the engine's process group unless they leave it, and a signal to the group reaches them.
//! On other systems only the engine itself is ended.
//!
//! Invariants: a group is in the list from its start until it is killed. A leader is killed before
//! its exit status is taken, because the system reuses the number of a process after that.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at a process that is to exit.
const POLL: Duration = Duration::from_millis(5);

/// The engines that run for one piece of work. Clones share the list, so that another thread, such
/// as one that waits for signals, can end them.
#[derive(Clone, Debug, Default)]
pub struct RunningEngines(Arc<Mutex<Groups>>);

#[derive(Debug, Default)]
struct Groups {
    have_ended: bool,
    /// The numbers of the leading processes.
    leaders: BTreeSet<u32>,
}

impl RunningEngines {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Kills all engines with everything that they have started. No further engine starts, and the
    /// work that uses them ends with what it has.
    pub fn end(&self) {
        let mut groups = self.lock();
        groups.have_ended = true;
        groups.leaders.iter().for_each(|&leader| kill_group(leader));
    }

    /// Whether [`end`](Self::end) was called.
    #[must_use]
    pub fn have_ended(&self) -> bool {
        self.lock().have_ended
    }

    fn lock(&self) -> MutexGuard<'_, Groups> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program as the leader of a new group.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<EngineGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut groups = self.lock();
        if groups.have_ended {
            return Err(io::Error::other("the work was stopped"));
        }
        let child = command.spawn()?;
        groups.leaders.insert(child.id());
        drop(groups);
        Ok(EngineGroup { child, engines: self.clone() })
    }
}

/// A running engine. Dropping it kills its group and waits for its leader.
#[derive(Debug)]
pub(super) struct EngineGroup {
    pub(super) child: Child,
    engines: RunningEngines,
}

impl EngineGroup {
    /// The exit status of the leader, if it exits before the deadline. What it leaves behind in its
    /// group is killed.
    pub(super) fn status_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        while !has_exited(&mut self.child) {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(POLL);
        }
        self.kill();
        self.child.wait().ok()
    }

    /// Kills the group, once.
    fn kill(&mut self) {
        let mut groups = self.engines.lock();
        if groups.leaders.remove(&self.child.id()) {
            kill_group(self.child.id());
            // It fails only if the leader has exited.
            let _ = self.child.kill();
        }
    }
}

impl Drop for EngineGroup {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// Whether a process has exited. Its status is not taken.
#[cfg(unix)]
fn has_exited(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // Its number is taken already if the wait fails, so it has exited.
    pid(child.id())
        .is_none_or(|pid| waitid(WaitId::Pid(pid), options).map_or(true, |of| of.is_some()))
}

#[cfg(not(unix))]
fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(pid) = pid(leader) {
        // It fails only if nobody is left in the group.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
const fn kill_group(_leader: u32) {}

#[cfg(unix)]
fn pid(number: u32) -> Option<rustix::process::Pid> {
    i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::Stdio;

    /// A shell whose child sleeps, and the number of that child.
    fn wrapper(engines: &RunningEngines, then: &str) -> (EngineGroup, String) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("sleep 1000 >&- 2>&- & echo $!; exec >&-; {then}")]);
        let mut group = engines.spawn(command.stdout(Stdio::piped())).expect("sh starts");
        let mut text = String::new();
        let mut output = group.child.stdout.take().expect("piped");
        output.read_to_string(&mut text).expect("text");
        (group, text.trim().to_owned())
    }

    fn is_there(process: &str) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let state = status.rsplit(") ").next().unwrap_or_default();
        !state.is_empty() && !state.starts_with(['Z', 'X'])
    }

    fn disappears(process: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while is_there(process) && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        !is_there(process)
    }

    #[test]
    fn dropping_ending_or_exiting_leaves_nothing_behind() {
        let engines = RunningEngines::new();
        let (dropped, child) = wrapper(&engines, "wait");
        assert!(is_there(&child));
        drop(dropped);
        assert!(disappears(&child));

        let (mut exits, child) = wrapper(&engines, "exit 3");
        let status = exits.status_by(Instant::now() + Duration::from_secs(10)).expect("it exits");
        assert_eq!(status.code(), Some(3));
        assert!(disappears(&child));
        drop(exits);

        let (mut ended, child) = wrapper(&engines, "wait");
        assert_eq!(ended.status_by(Instant::now()), None);
        assert!(!engines.have_ended());
        engines.clone().end();
        assert!(engines.have_ended() && disappears(&child));
        assert!(engines.spawn(&mut Command::new("true")).is_err());
        drop(ended);
        assert!(engines.lock().leaders.is_empty());
    }
}
