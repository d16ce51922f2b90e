//! Line charts as SVG, written without a drawing library.
//!
//! The vertical axis of a chart is a share (0 to 1, labelled in per cent), the horizontal axis a whole
//! number. A point may have an interval, which is drawn as a whisker.
//!
//! Invariant: the output is plain SVG without scripts, styles or links, and all text is escaped.

use oware::grade::{GradeReport, Interval, Metrics, Share};
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;

/// Colours that colour-blind readers can distinguish (Okabe & Ito, "Color universal design", 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// One point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    /// The place on the horizontal axis.
    across: u16,
    share: f64,
    interval: Option<Interval>,
}

/// One line.
#[derive(Clone, Debug)]
struct Series {
    label: String,
    points: Vec<Point>,
    dashed: bool,
}

/// A chart.
#[derive(Clone, Debug)]
struct Chart<'text> {
    title: &'text str,
    /// The title of the horizontal axis.
    across: &'text str,
    series: Vec<Series>,
    /// The share at the top.
    top: f64,
}

/// Accuracy by seeds on the board, one line per report, and the expected accuracy of a random player.
#[must_use]
pub(super) fn accuracy_by_level(reports: &[GradeReport]) -> String {
    let mut series: Vec<Series> = reports
        .iter()
        .map(|report| {
            let points = report.by_level.iter().map(|of| (of.seeds.into(), &of.metrics));
            accuracy_series(report, points)
        })
        .collect();
    if let Some(report) = reports.first() {
        let points = report.by_level.iter().filter_map(|of| {
            let share = of.metrics.random_accuracy?;
            Some(Point { across: of.seeds.into(), share, interval: None })
        });
        let label = "expected of chance".to_owned();
        series.push(Series { label, points: points.collect(), dashed: true });
    }
    Chart { title: "Perfect answers by level", across: "seeds on the board", series, top: 1.0 }
        .to_svg()
}

/// Accuracy by the number of perfect moves.
#[must_use]
pub(super) fn accuracy_by_choice(reports: &[GradeReport]) -> String {
    let series = reports
        .iter()
        .map(|report| {
            let points = report.by_perfect_moves.iter().map(|of| {
                (u16::try_from(of.perfect_moves).expect("at most six moves"), &of.metrics)
            });
            accuracy_series(report, points)
        })
        .collect();
    let title = "Perfect answers by number of perfect moves";
    Chart { title, across: "perfect moves to choose from", series, top: 1.0 }.to_svg()
}

/// The share of answers that lose at least a number of seeds.
#[must_use]
pub(super) fn losses(reports: &[GradeReport]) -> String {
    let series: Vec<Series> = reports
        .iter()
        .map(|report| {
            let answered: u64 = report.losses.iter().map(|of| of.answers).sum();
            let most = report.losses.last().map_or(0, |of| of.loss);
            let points = (1..=most).filter_map(|loss| {
                let losing = report.losses.iter().filter(|of| of.loss >= loss);
                let hits = losing.map(|of| of.answers).sum();
                let share = Share { hits, trials: answered }.rate()?;
                Some(Point { across: loss.into(), share, interval: None })
            });
            Series { label: report.header.label(), points: points.collect(), dashed: false }
        })
        .collect();
    let highest =
        series.iter().flat_map(|of| &of.points).map(|point| point.share).fold(0.05, f64::max);
    let top = if highest > 0.6 { 1.0 } else { (highest * 10.0).ceil() / 10.0 };
    Chart { title: "Answers that lose at least so many seeds", across: "seeds lost", series, top }
        .to_svg()
}

fn accuracy_series<'metrics>(
    report: &GradeReport,
    metrics: impl Iterator<Item = (u16, &'metrics Metrics)>,
) -> Series {
    let points = metrics.filter_map(|(across, metrics)| {
        Some(Point { across, share: metrics.accuracy?, interval: metrics.accuracy_interval })
    });
    Series { label: report.header.label(), points: points.collect(), dashed: false }
}

impl Chart<'_> {
    fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            svg,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#222222">
<title>{title}</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{LEFT}" y="20" font-size="15" font-weight="bold">{title}</text>"##,
            title = escape(self.title),
        );
        let (first, last) = self.across_range();
        self.draw_axes(first, last, &mut svg);
        for (number, series) in (0..).zip(&self.series) {
            self.draw_series(number, series, (first, last), &mut svg);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn across_range(&self) -> (u16, u16) {
        let all = || self.series.iter().flat_map(|of| &of.points).map(|point| point.across);
        (all().min().unwrap_or(0), all().max().unwrap_or(1))
    }

    fn draw_axes(&self, first: u16, last: u16, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let step = if self.top > 0.6 { 0.2 } else { 0.1 };
        for line in 0..=6u8 {
            let share = step * f64::from(line);
            if share > self.top + step / 2.0 {
                break;
            }
            let y = self.height_of(share);
            let _ = writeln!(
                svg,
                r##"<path d="M{LEFT} {y:.1}H{right}" stroke="#dddddd"/><text x="{x}" y="{text:.1}" text-anchor="end">{percent:.0} %</text>"##,
                x = LEFT - 8.0,
                text = y + 4.0,
                percent = share * 100.0,
            );
        }
        // About twenty numbers fit.
        let step = usize::from(1 + (last - first) / 20);
        for across in (first..=last).step_by(step) {
            let x = place_of(across, first, last);
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{across}</text>"#,
                y = bottom + 18.0,
            );
        }
        let _ = writeln!(
            svg,
            r#"<text x="{x}" y="{y}" text-anchor="middle">{text}</text>"#,
            x = LEFT.midpoint(right),
            y = HEIGHT - 8.0,
            text = escape(self.across),
        );
    }

    fn draw_series(
        &self,
        number: u8,
        series: &Series,
        (first, last): (u16, u16),
        svg: &mut String,
    ) {
        let colour =
            if series.dashed { "#777777" } else { COLOURS[usize::from(number) % COLOURS.len()] };
        let dashes = if series.dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let mut path = String::new();
        for point in &series.points {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let x = place_of(point.across, first, last);
            let _ = write!(path, "{command}{x:.1} {:.1}", self.height_of(point.share));
        }
        let _ = writeln!(
            svg,
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>"#
        );
        for point in series.points.iter().filter(|_| !series.dashed) {
            let x = place_of(point.across, first, last);
            let y = self.height_of(point.share);
            let _ = write!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{colour}"/>"#);
            if let Some(Interval(low, high)) = point.interval {
                let (low, high) = (self.height_of(low), self.height_of(high));
                let _ = write!(
                    svg,
                    r#"<path d="M{x:.1} {low:.1}V{high:.1}" stroke="{colour}" opacity="0.5"/>"#
                );
            }
            svg.push('\n');
        }
        let y = TOP + 10.0 + 20.0 * f64::from(number);
        let x = WIDTH - RIGHT + 16.0;
        let _ = writeln!(
            svg,
            r#"<path d="M{x} {y}h20" stroke="{colour}" stroke-width="2"{dashes}/><text x="{text}" y="{base}">{label}</text>"#,
            text = x + 26.0,
            base = y + 4.0,
            label = escape(&shortened(&series.label)),
        );
    }

    fn height_of(&self, share: f64) -> f64 {
        let bottom = HEIGHT - BOTTOM;
        bottom - (share / self.top).clamp(0.0, 1.0) * (bottom - TOP)
    }
}

fn place_of(across: u16, first: u16, last: u16) -> f64 {
    let width = WIDTH - LEFT - RIGHT - 32.0;
    let steps = f64::from((last - first).max(1));
    LEFT + 16.0 + width * f64::from(across - first) / steps
}

/// A label, cut to fit beside the chart.
fn shortened(label: &str) -> String {
    const FITTING: usize = 24;
    if label.chars().count() <= FITTING {
        return label.to_owned();
    }
    label.chars().take(FITTING - 1).chain(['…']).collect()
}

/// Text, escaped for XML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            control if control.is_control() => escaped.push('?'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_at_their_shares_and_whiskers_span_their_intervals() {
        let point = |across, share, interval| Point { across, share, interval };
        let points = vec![point(6, 0.0, None), point(7, 1.0, Some(Interval(0.5, 1.0)))];
        let series = vec![Series { label: "a <b> & \"c\"".to_owned(), points, dashed: false }];
        let svg = Chart { title: "t", across: "seeds", series, top: 1.0 }.to_svg();
        let bottom = HEIGHT - BOTTOM;
        assert!(svg.contains(&format!(r#"cx="{:.1}" cy="{bottom:.1}""#, LEFT + 16.0)), "{svg}");
        assert!(svg.contains(&format!(r#"cy="{TOP:.1}""#)), "{svg}");
        let middle = TOP.midpoint(bottom);
        assert!(svg.contains(&format!(" {middle:.1}V{TOP:.1}")), "{svg}");
        assert!(svg.contains("a &lt;b&gt; &amp; &quot;c&quot;"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2);
    }

    #[test]
    fn no_reports_give_an_empty_chart() {
        for svg in [accuracy_by_level(&[]), accuracy_by_choice(&[]), losses(&[])] {
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("NaN"), "{svg}");
        }
    }
}
