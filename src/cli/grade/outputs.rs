//! The files that a grading writes.

use super::chart::accuracy_by_level;
use super::html::html_report;
use crate::cli::files::{Log, WholeFile, distinct, is_standard_output};
use crate::cli::output::Output;
use anyhow::Context;
use oware::grade::{AnswerReport, GradeReport};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The options that name the files.
#[derive(Debug, clap::Args)]
pub(super) struct OutputOptions {
    /// Write a report with charts as one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the chart of accuracy by level as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,

    /// Write every answer with its grade as a line of JSON, as the answers come
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Replace files of --report, --chart and --answers that are there already
    #[arg(long)]
    force: bool,
}

/// The files that a grading writes, open before it starts.
pub(super) struct Outputs {
    report: Option<WholeFile>,
    chart: Option<WholeFile>,
    answers: Option<Mutex<Log>>,
    /// Whether standard output is one of the files, and nothing else is to be printed there.
    pub(super) is_silent: bool,
}

impl Outputs {
    /// Opens the files. None of them may be one that is read.
    pub(super) fn open(
        options: &OutputOptions,
        read: [Option<&PathBuf>; 2],
    ) -> anyhow::Result<Self> {
        let OutputOptions { report, chart, answers, force } = options;
        let written = [report.as_ref(), chart.as_ref(), answers.as_ref()];
        distinct(&[&written[..], &read].concat())?;
        let whole = |path: &Option<PathBuf>| {
            path.as_ref().map(|path| WholeFile::prepare(path, *force)).transpose()
        };
        let log = answers.as_ref().map(|path| Log::open(path, *force)).transpose()?;
        Ok(Self {
            report: whole(report)?,
            chart: whole(chart)?,
            answers: log.map(Mutex::new),
            is_silent: written.iter().flatten().any(|path| is_standard_output(path)),
        })
    }

    /// Adds an answer to the log of answers.
    pub(super) fn log(&self, answer: impl FnOnce() -> Option<AnswerReport>) -> anyhow::Result<()> {
        let Some(log) = &self.answers else { return Ok(()) };
        let Some(answer) = answer() else { return Ok(()) };
        let line = serde_json::to_string(&answer).context("cannot put the answer as JSON")? + "\n";
        log.lock().unwrap_or_else(PoisonError::into_inner).add(&line)
    }

    pub(super) fn write_pages(
        self,
        reports: &[GradeReport],
        output: &mut Output,
    ) -> anyhow::Result<()> {
        if let Some(file) = self.report {
            let page = html_report(reports).context("cannot make the report")?;
            file.write(output, |out| Ok(out.write_all(page.as_bytes())?))?;
        }
        if let Some(file) = self.chart {
            let chart = accuracy_by_level(reports);
            file.write(output, |out| Ok(out.write_all(chart.as_bytes())?))?;
        }
        Ok(())
    }
}
