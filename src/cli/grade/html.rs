//! A report as one HTML file: metrics, charts and mistakes, without scripts or links.

use super::chart::{accuracy_by_choice, accuracy_by_level, losses};
use minijinja::value::Serde;
use minijinja::{Environment, Error, Value, context};
use oware::grade::GradeReport;

/// The page. Values are escaped by the engine; the charts are SVG of our own making.
const TEMPLATE: &str = include_str!("report.html");

/// Writes reports of one or several entrants that answered the same positions.
///
/// # Errors
/// [`Error`] when the template does not fit the reports, which would be a mistake of ours.
pub(super) fn html_report(reports: &[GradeReport]) -> Result<String, Error> {
    let mut templates = Environment::new();
    templates.add_filter("percent", percent);
    templates.add_filter("decimals", decimals);
    // The name's ending turns escaping on.
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

/// `0.925` as `92.5 %`; nothing as a dash.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// Two decimals; nothing as a dash.
fn decimals(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.2}"))
}
