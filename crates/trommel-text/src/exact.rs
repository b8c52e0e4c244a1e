//! [`Hundredths`] in files that are read again, for `#[serde(with = "exact")]`: an integer where it is whole, and else its decimal digits as
//! text, since a JSON number with a fraction is read as the nearest binary one.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

use crate::Hundredths;

/// Writes a number.
///
/// # Errors
/// The serializer's.
pub fn serialize<S: Serializer>(number: &Hundredths, serializer: S) -> Result<S::Ok, S::Error> {
    match number.count() % 100 {
        0 => serializer.serialize_u64(number.count() / 100),
        _ => serializer.collect_str(number),
    }
}

/// Reads a number.
///
/// # Errors
/// The deserializer's, and for what is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Hundredths, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Whole(u64),
        Text(String),
    }
    let text = match Either::deserialize(deserializer)? {
        Either::Whole(number) => number.to_string(),
        Either::Text(text) => text,
    };
    text.parse().map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        #[derive(serde::Serialize, Deserialize, Debug, PartialEq)]
        struct Of(#[serde(with = "crate::exact")] Hundredths);
        for (hundredths, written) in [
            (0, "0"),
            (1200, "12"),
            (1205, "\"12.05\""),
            (u64::MAX, "\"184467440737095516.15\""),
        ] {
            let of = Of(Hundredths::new(hundredths));
            assert_eq!(serde_json::to_string(&of).unwrap(), written);
            assert_eq!(serde_json::from_str::<Of>(written).unwrap(), of);
        }
        for none in ["-1", "1.5", "\"1.234\"", "18446744073709551615", "null"] {
            assert!(serde_json::from_str::<Of>(none).is_err(), "{none}");
        }
    }
}
