//! Ctrl-C and its like as a flag that long work looks at, and a limit of file sizes as an error.
//!
//! The first SIGINT, SIGTERM or SIGHUP sets the flag, so that work can end in good order; the
//! second ends the process at once, which loses no table either. A signal that the process was
//! started with ignored (`nohup`, a shell's background job) stays ignored.

use anyhow::Context;
use oware::progress::StopFlag;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use std::sync::Arc;

/// A flag that is set by the first signal to stop.
///
/// # Errors
/// When the system refuses to watch a signal.
pub(crate) fn stop_flag() -> anyhow::Result<StopFlag> {
    let stop = StopFlag::default();
    let flag = stop.as_atomic();
    let ignored = ignored_signals();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored & (1 << (signal - 1)) != 0 {
            continue;
        }
        // In this order the first signal finds the flag unset and the second finds it set.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&flag))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
            .with_context(|| format!("cannot watch signal {signal}"))?;
    }
    Ok(stop)
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) fail, as one to a full disk does,
/// instead of ending the process.
///
/// # Errors
/// When the system refuses to watch the signal.
pub(crate) fn outlive_file_limit() -> anyhow::Result<()> {
    // The write's own error tells; nobody looks at the flag.
    signal_hook::flag::register(SIGXFSZ, Arc::default())
        .with_context(|| format!("cannot watch signal {SIGXFSZ}"))?;
    Ok(())
}

/// The signals that this process ignores, as a mask with signal 1 in bit 0; none where the system
/// does not say.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0)
}
