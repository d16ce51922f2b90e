//! Progress on standard error: a bar on a terminal, plain lines elsewhere, or nothing.
//!
//! Work is a sequence of steps ("level 20, solving"), each over a number of things (boards,
//! positions). Permanent lines, such as the time of a level, are part of the progress. Notes appear
//! even where no progress is shown, unless progress is off.

use super::options::{Options, ProgressWhen};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Least time between two plain lines about a step.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Redraws of a bar per second.
const REDRAWS: u8 = 8;

/// Shows progress. Threads share it by reference.
pub(crate) struct Progress(Shown);

enum Shown {
    /// Notes only.
    Notes,
    Nothing,
    Bar(ProgressBar),
    Lines(Mutex<Option<Step>>),
}

/// A step of work, shown as plain lines.
struct Step {
    name: String,
    unit: &'static str,
    total: u64,
    done: u64,
    began: Instant,
    last_line: Instant,
}

impl Progress {
    /// Progress as the options request it.
    pub(crate) fn new(options: &Options) -> Self {
        let on_terminal = io::stderr().is_terminal();
        Self(match options.progress {
            ProgressWhen::Never => Shown::Nothing,
            ProgressWhen::Auto if !on_terminal => Shown::Notes,
            ProgressWhen::Always if !on_terminal => Shown::Lines(Mutex::new(None)),
            ProgressWhen::Auto | ProgressWhen::Always => {
                let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
                Shown::Bar(ProgressBar::with_draw_target(None, target))
            }
        })
    }

    /// Starts a step of `total` things, named in the plural by `unit`.
    pub(crate) fn begin(&self, name: &str, total: u64, unit: &'static str) {
        match &self.0 {
            Shown::Notes | Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_style(bar_style(unit));
                bar.reset();
                bar.set_length(total);
                bar.set_message(name.to_owned());
            }
            Shown::Lines(step) => {
                let now = Instant::now();
                let name = name.to_owned();
                let begun = Step { name, unit, total, done: 0, began: now, last_line: now };
                *step.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
            }
        }
    }

    /// `more` things of the step are done.
    pub(crate) fn advance(&self, more: u64) {
        match &self.0 {
            Shown::Notes | Shown::Nothing => {}
            Shown::Bar(bar) => bar.inc(more),
            Shown::Lines(step) => {
                let mut step = step.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(step) = step.as_mut() {
                    step.advance(more);
                }
            }
        }
    }

    /// Shows a note to the user, unless progress is off.
    pub(crate) fn note(&self, line: &str) {
        match &self.0 {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.println(line),
            Shown::Notes | Shown::Lines(_) => write_line(line),
        }
    }

    /// Shows a permanent line.
    pub(crate) fn line(&self, line: &str) {
        match &self.0 {
            Shown::Notes | Shown::Nothing => {}
            Shown::Bar(bar) => bar.println(line),
            Shown::Lines(_) => write_line(line),
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        if let Shown::Bar(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Step {
    fn advance(&mut self, more: u64) {
        self.done += more;
        if self.last_line.elapsed() < LINE_INTERVAL {
            return;
        }
        self.last_line = Instant::now();
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = per_second(self.done, seconds);
        let percent = (self.done.min(self.total) * 100).checked_div(self.total).unwrap_or(100);
        let mut line = format!("{}: {percent} %, {} {}/s", self.name, scaled(rate), self.unit);
        let left = self.total.saturating_sub(self.done) as f64 / rate.max(f64::MIN_POSITIVE);
        if let Ok(left) = Duration::try_from_secs_f64(left) {
            let _ = write!(line, ", {} left", HumanDuration(left));
        }
        write_line(&line);
    }
}

fn write_line(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn bar_style(unit: &'static str) -> ProgressStyle {
    let rate = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{} {unit}/s", scaled(state.per_sec()));
    };
    ProgressStyle::with_template("{msg:<24} {wide_bar} {percent:>3} %  {rate}  {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", rate)
}

/// Things per second.
pub(crate) fn per_second(things: u64, seconds: f64) -> f64 {
    things as f64 / seconds.max(1e-9)
}

/// A number with about three digits: `940`, `12.3 k`, `28.1 M`, `1.2 G`.
pub(crate) fn scaled(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        ..1e6 => format!("{:.1} k", number / 1e3),
        ..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.1} G", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn numbers_keep_about_three_digits() {
        let shown = [7.4, 940.0, 12_345.0, 28.06e6, 9.8e9].map(scaled);
        assert_eq!(shown, ["7", "940", "12.3 k", "28.1 M", "9.8 G"]);
    }
}
