//! Signals: Ctrl-C and its like as a stop flag, and a limit on file sizes as an error.
//!
//! The first signal sets the flag, so that work ends in good order. The second ends the process at
//! once, which loses no table either. On Unix the signals are SIGINT, SIGTERM and SIGHUP, and one
//! that the process was started with ignored (`nohup`, a background job of a shell) stays ignored;
//! on Windows they are SIGINT and SIGTERM.

use super::failure::INTERRUPTED;
use anyhow::Context;
use oware::progress::StopFlag;
use oware::uci::RunningEngines;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::thread;

#[cfg(unix)]
const STOPPING: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const STOPPING: [i32; 2] = [SIGINT, SIGTERM];

/// A stop flag that the first signal sets.
///
/// # Errors
/// When the system refuses to watch a signal.
pub(crate) fn stop_flag() -> anyhow::Result<StopFlag> {
    let stop = StopFlag::default();
    let flag = stop.as_atomic();
    let ignored = ignored_signals();
    for signal in STOPPING {
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

/// Ends the engines of some work on the first signal, so that the work ends with what it has. The
/// second signal ends the process.
///
/// # Errors
/// When the system refuses to watch a signal.
pub(crate) fn end_on_signal(engines: &RunningEngines) -> anyhow::Result<()> {
    let ignored = ignored_signals();
    let watched = STOPPING.into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = Signals::new(watched).context("cannot watch signals")?;
    let engines = engines.clone();
    let watch = move || {
        let mut signals = signals.forever();
        if signals.next().is_some() {
            engines.end();
        }
        if signals.next().is_some() {
            // Its engines were ended by the first signal.
            std::process::exit(INTERRUPTED.into());
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)
        .context("cannot start a thread that watches signals")?;
    Ok(())
}

/// Makes a write beyond the limit on file sizes (`ulimit -f`) fail, as a write to a full disk does,
/// instead of ending the process.
///
/// # Errors
/// When the system refuses to watch the signal.
#[cfg(unix)]
pub(crate) fn survive_file_limit() -> anyhow::Result<()> {
    use signal_hook::consts::SIGXFSZ;
    // The write itself fails with an error, so the flag is not read.
    signal_hook::flag::register(SIGXFSZ, Arc::default())
        .with_context(|| format!("cannot watch signal {SIGXFSZ}"))?;
    Ok(())
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub(crate) const fn survive_file_limit() -> anyhow::Result<()> {
    Ok(())
}

/// The signals that this process ignores, as a mask with signal 1 in bit 0; none where the system
/// does not report them.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0)
}
