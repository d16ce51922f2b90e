//! Sizes in bytes in the notation of people: `500M`, `12G`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, read and shown with K, M, G and T as powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    pub(crate) bytes: u64,
}

/// A text that is not a size.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not a size: write a whole number of bytes, or with K, M, G or T, as in 12G")]
pub(crate) struct NotASize(String);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl FromStr for Size {
    type Err = NotASize;

    fn from_str(text: &str) -> Result<Self, NotASize> {
        let fail = || NotASize(text.to_owned());
        let unit = text.chars().next_back().filter(char::is_ascii_alphabetic);
        let shift = match unit.map(|unit| unit.to_ascii_uppercase()) {
            None => 0,
            Some(letter) => UNITS
                .iter()
                .find(|(unit, _)| *unit == letter)
                .map(|(_, shift)| *shift)
                .ok_or_else(fail)?,
        };
        let digits = &text[..text.len() - usize::from(unit.is_some())];
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fail());
        }
        let count: u64 = digits.parse().map_err(|_| fail())?;
        let bytes = count.checked_mul(1 << shift).ok_or_else(fail)?;
        Ok(Self { bytes })
    }
}

impl fmt::Display for Size {
    /// About three digits, with the largest unit that leaves a whole part: `2.7G`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(_, shift)| self.bytes >> shift != 0);
        let text = match unit {
            None => format!("{}", self.bytes),
            Some((letter, shift)) => {
                let tenths = (u128::from(self.bytes) * 10) >> shift;
                match tenths {
                    1000.. => format!("{}{letter}", tenths / 10),
                    _ => format!("{}.{}{letter}", tenths / 10, tenths % 10),
                }
            }
        };
        out.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn sizes_take_powers_of_1024_and_nothing_else() {
        let read = |text: &str| text.parse::<Size>().ok().map(|size| size.bytes);
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("4096"), Some(4096));
        assert_eq!(read("3K"), Some(3 << 10));
        assert_eq!(read("500m"), Some(500 << 20));
        assert_eq!(read("14G"), Some(14 << 30));
        assert_eq!(read("2T"), Some(2 << 40));
        for wrong in [
            "",
            "G",
            "-1G",
            "1.5G",
            "1 G",
            "1GB",
            "1X",
            "+1",
            "99999999999999999999",
            "99999999T",
            "é",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_are_shown_with_one_decimal() {
        let show = |bytes| Size { bytes }.to_string();
        assert_eq!(show(0), "0");
        assert_eq!(show(1023), "1023");
        assert_eq!(show(1536), "1.5K");
        assert_eq!(show(300 << 20), "300M");
        assert_eq!(show(u64::MAX), "16777215T");
    }
}
