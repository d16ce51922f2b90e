//! The threads of the process, and work that Ctrl-C stops.
//!
//! A process that forks, as Python's `multiprocessing` does on Linux, leaves its threads behind. The
//! pool is therefore made anew in the child.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// How often the signals are looked at while work goes on.
const POLL: Duration = Duration::from_millis(50);

struct Pool {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// The number of threads that batches, builds and levels use from now on; 0 for all cores.
#[pyfunction]
#[pyo3(signature = (threads = 0))]
pub(crate) fn set_threads(threads: i64) -> PyResult<()> {
    const MOST: usize = 1024;
    let threads = usize::try_from(threads).ok().filter(|&threads| threads <= MOST);
    let threads =
        threads.ok_or_else(|| PyValueError::new_err(format!("threads are from 0 to {MOST}")))?;
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let made = make(threads)?;
    forget_if_forked(pool.replace(made));
    Ok(())
}

/// The pool of this process.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some(Pool { process, pool, .. }) if *process == std::process::id() => Ok(Arc::clone(pool)),
        found => {
            let made = make(found.as_ref().map_or(0, |pool| pool.threads))?;
            let threads = Arc::clone(&made.pool);
            forget_if_forked(pool.replace(made));
            Ok(threads)
        }
    }
}

fn make(threads: usize) -> PyResult<Pool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(Pool { process: std::process::id(), threads, pool: Arc::new(pool) })
}

/// The threads of a pool that a fork left behind cannot be ended.
fn forget_if_forked(pool: Option<Pool>) {
    if let Some(pool) = pool
        && pool.process != std::process::id()
    {
        std::mem::forget(pool);
    }
}

/// Does work on another thread without the interpreter's lock, and calls `meanwhile` on this one
/// every now and then. If a signal handler or `meanwhile` raises, calls `stop`, waits for the work to
/// end and raises that.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    stop: impl Fn() + Send + Sync,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let pool = pool()?;
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel();
        let worker = scope.spawn(move || {
            let result = pool.install(work);
            // Nobody waits for it any more if an exception was raised meanwhile.
            let _ = done.send(());
            result
        });
        // A receiver may not be shared between threads, and a closure without the lock might be run
        // on another one.
        let is_done = Mutex::new(is_done);
        let mut raised = Ok(());
        loop {
            let ended = py.detach(|| {
                let is_done = is_done.lock().unwrap_or_else(PoisonError::into_inner);
                is_done.recv_timeout(POLL) != Err(mpsc::RecvTimeoutError::Timeout)
            });
            if raised.is_ok() {
                raised = py.check_signals().and_then(|()| meanwhile(py));
                if raised.is_err() {
                    stop();
                }
            }
            if ended {
                break;
            }
        }
        let result = py.detach(|| worker.join());
        raised?;
        result.map_err(|_| PyRuntimeError::new_err("the library failed; please report this"))
    })
}
