//! A report as one HTML page with metrics, charts and mistakes, without scripts or links.

use super::chart::{accuracy_by_choice, accuracy_by_level, losses};
use minijinja::value::Serde;
use minijinja::{Environment, Error, Value, context};
use oware::grade::GradeReport;

/// The page. The template engine escapes values; the charts are SVG of this program.
const TEMPLATE: &str = include_str!("report.html");

/// Renders the reports of entrants that answered the same positions.
///
/// # Errors
/// [`Error`] if the template does not match the reports, which would be a bug.
pub(super) fn html_report(reports: &[GradeReport]) -> Result<String, Error> {
    let mut templates = Environment::new();
    templates.add_filter("percent", percent);
    templates.add_filter("decimals", decimals);
    // The extension of the name enables escaping.
    templates.add_template("report.html", TEMPLATE)?;
    templates.get_template("report.html")?.render(context! {
        reports => Value::from(Serde(reports)),
        labels => reports.iter().map(|report| report.header.label()).collect::<Vec<_>>(),
        by_level => accuracy_by_level(reports),
        by_choice => accuracy_by_choice(reports),
        losses => losses(reports),
        version => env!("CARGO_PKG_VERSION"),
    })
}

/// `0.925` as `92.5 %`, and a dash for `None`.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// A number with two decimals, and a dash for `None`.
fn decimals(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.2}"))
}
