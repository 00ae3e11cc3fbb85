//! Numbers, times and names as they are printed: short, plain, and with the right endings.

use std::time::Duration;

use chasles::glam::DVec3;

pub(crate) use chasles_report::words::{
    length, listed, plain, plural, rests, sentence, short, turns,
};

/// [`plain`] for several lines.
pub(crate) fn plain_lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

pub(crate) fn point(p: DVec3) -> String {
    format!("({}, {}, {})", short(p.x), short(p.y), short(p.z))
}

/// A number with all its digits, and an exponent where it would have many zeros.
pub(crate) fn whole(x: f64) -> String {
    match x.abs() {
        0.0 | 1e-6..1e15 => x.to_string(),
        _ if x.is_finite() => format!("{x:e}"),
        _ => x.to_string(),
    }
}

pub(crate) fn duration(duration: Duration) -> String {
    let ns = duration.as_nanos() as f64;
    match ns {
        _ if ns < 1e3 => format!("{ns} ns"),
        _ if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_short() {
        assert_eq!(short(-1.25), "-1.2500");
        assert_eq!(short(1e-17), "0");
        assert_eq!(short(3.0e-7), "3.000e-7");
        assert_eq!(length(1e-17), "1.000e-17");
        let exact = [0.0, 1e-6, 0.1 + 0.2, 1e-300, -2.5e20].map(whole);
        assert_eq!(exact, ["0", "0.000001", "0.30000000000000004", "1e-300", "-2.5e20"]);
        assert_eq!(duration(Duration::from_micros(1500)), "1.50 ms");
    }

    #[test]
    fn many_names_are_counted() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let expected = ["", "a", "a and b", "a, b and c", "a, b, c and d", "a, b, c and 2 more"];
        for (count, words) in expected.into_iter().enumerate() {
            assert_eq!(listed(&names[..count]), words);
        }
    }
}
