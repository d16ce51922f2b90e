//! A report as text.

use super::super::boards;
use super::super::engines::failures_in_words;
use super::super::options::Options;
use super::super::output::Output;
use oware::grade::{FailureReport, GradeReport, Interval, Metrics, Mistake};
use std::fmt::Write as _;
use std::io::Write;

/// The number of mistakes shown. The JSON and HTML reports have more.
const MISTAKES: usize = 5;

/// The number of failures shown, with their transcripts.
const FAILURES: usize = 3;

/// Writes a report, after a blank line if `follows`.
pub(super) fn show(
    report: &GradeReport,
    follows: bool,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    if follows {
        writeln!(output)?;
    }
    let header = &report.header;
    let seed = header.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let failed = failures_in_words(report.failures.iter().map(|failure| failure.kind));
    writeln!(
        output,
        "{} ({}, aim {}; {}{seed}){}",
        header.label(),
        header.rules,
        header.aim,
        header.source,
        failed.map_or_else(String::new, |failed| format!(": {failed}"))
    )?;
    if let Some(left_out @ 1..) = header.left_out {
        writeln!(output, "  left out of the file: {left_out}")?;
    }
    show_metrics(report, output)?;
    writeln!(output)?;
    show_levels(report, output)?;
    show_losses(report, output)?;
    for mistake in report.worst.iter().take(MISTAKES) {
        show_mistake(mistake, &options.to_same_tables(), output)?;
    }
    for failure in report.failures.iter().take(FAILURES) {
        show_failure(failure, output)?;
    }
    if report.failures.len() > FAILURES {
        writeln!(output, "  more failures: {}", report.failures.len() - FAILURES)?;
    }
    Ok(())
}

fn show_metrics(report: &GradeReport, output: &mut Output) -> anyhow::Result<()> {
    let metrics = &report.metrics;
    writeln!(
        output,
        "  positions {}, with equal moves only {}, failures {}{}",
        metrics.positions,
        metrics.all_equal,
        metrics.failed,
        if report.not_asked > 0 {
            format!(", not asked {}", report.not_asked)
        } else {
            String::new()
        }
    )?;
    writeln!(
        output,
        "  perfect       {} {}",
        percent(metrics.accuracy),
        range(metrics.accuracy_interval, percent)
    )?;
    writeln!(
        output,
        "  keeps result  {} {}",
        percent(metrics.keeps_result),
        range(metrics.keeps_result_interval, percent)
    )?;
    writeln!(
        output,
        "  seeds lost    {} a move {}",
        decimals(metrics.loss_mean),
        range(metrics.loss_interval, decimals)
    )?;
    if let (Some(safe), Some(wrong)) = (metrics.safe, metrics.certainly_wrong) {
        writeln!(
            output,
            "  safe          {} of {} answers keep what is secured whatever settles endless play",
            percent(Some(safe)),
            metrics.bounded
        )?;
        writeln!(
            output,
            "  wrong         {} for certain: another move secures more than they can bring",
            percent(Some(wrong))
        )?;
    }
    writeln!(output, "  by chance     {} would be perfect", percent(metrics.random_accuracy))?;
    if let (Some(mean), Some(longest)) = (report.time_mean_ms, report.time_longest_ms) {
        writeln!(output, "  time          {mean:.1} ms a move, at most {longest:.0} ms")?;
    }
    Ok(())
}

fn show_levels(report: &GradeReport, output: &mut Output) -> anyhow::Result<()> {
    let mut rows = vec![("seeds".to_owned(), None)];
    rows.extend(report.by_level.iter().map(|of| (of.seeds.to_string(), Some(&of.metrics))));
    show_rows(&rows, output)?;
    let mut rows = vec![("perfect moves".to_owned(), None)];
    rows.extend(
        report.by_perfect_moves.iter().map(|of| (of.perfect_moves.to_string(), Some(&of.metrics))),
    );
    show_rows(&rows, output)?;
    if !report.by_player.is_empty() {
        let mut rows = vec![("player".to_owned(), None)];
        rows.extend(report.by_player.iter().map(|of| (of.player.clone(), Some(&of.metrics))));
        show_rows(&rows, output)?;
    }
    Ok(())
}

/// Writes a table. The first row is the heading and has no metrics.
fn show_rows(rows: &[(String, Option<&Metrics>)], output: &mut Output) -> anyhow::Result<()> {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(13);
    for (name, metrics) in rows {
        match metrics {
            None => writeln!(
                output,
                "  {name:<width$}   graded   perfect   keeps result   seeds lost   by chance"
            )?,
            Some(metrics) => writeln!(
                output,
                "  {name:<width$} {:>8} {:>9} {:>14} {:>12} {:>11}",
                metrics.graded,
                percent(metrics.accuracy),
                percent(metrics.keeps_result),
                decimals(metrics.loss_mean),
                percent(metrics.random_accuracy)
            )?,
        }
    }
    writeln!(output)?;
    Ok(())
}

fn show_losses(report: &GradeReport, output: &mut Output) -> anyhow::Result<()> {
    let mut line = String::new();
    for of in &report.losses {
        let _ = write!(line, "  {}: {}", of.loss, of.answers);
    }
    if !line.is_empty() {
        writeln!(output, "  answers by seeds lost{line}")?;
    }
    Ok(())
}

fn show_mistake(mistake: &Mistake, to_tables: &str, output: &mut Output) -> anyhow::Result<()> {
    writeln!(
        output,
        "  {} played ({}), {} best ({}), {} lost{}: oware query {}{to_tables}{}",
        mistake.answer,
        mistake.answer_value,
        mistake.best.join(" "),
        mistake.value,
        mistake.loss,
        if mistake.keeps_result { "" } else { " and the result" },
        boards::to_arguments(&mistake.board),
        mistake.origin.as_ref().map_or_else(String::new, |origin| format!(" ({origin})"))
    )?;
    Ok(())
}

fn show_failure(failure: &FailureReport, output: &mut Output) -> anyhow::Result<()> {
    writeln!(output, "  {}: {} (at {})", failure.kind.name(), failure.message, failure.position)?;
    for line in failure.transcript.iter().flatten() {
        writeln!(output, "    {line}")?;
    }
    Ok(())
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

fn decimals(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}

fn range(interval: Option<Interval>, shown: fn(Option<f64>) -> String) -> String {
    interval.map_or_else(String::new, |Interval(low, high)| {
        format!("(95 %: {} to {})", shown(Some(low)), shown(Some(high)))
    })
}
