//! Names with parameters, as flags and files have them: `NAME:key=value,…`.

/// The name of a `NAME:key=value,…`, and what stands behind its first colon; nothing without one.
///
/// ```
/// use trommel_text::{name_and_parameters, parameters};
///
/// let (name, rest) = name_and_parameters("onion:n=5,base=content-tree:n=2,base=bte");
/// let parameters: Vec<_> = parameters(rest).collect();
/// assert_eq!(name, "onion");
/// assert_eq!(parameters, [("n", Some("5")), ("base", Some("content-tree:n=2,base=bte"))]);
/// ```
pub fn name_and_parameters(text: &str) -> (&str, &str) {
    text.split_once(':').unwrap_or((text, ""))
}

/// The parameters of a list `key=value,…`, in order: each key with its value, or without one where it has no `=`. Empty parts
/// are passed over. A value with a colon, which is a name with parameters of its own, goes on to the end.
pub fn parameters(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = text;
    let parts = std::iter::from_fn(move || {
        let (part, behind) = match rest.split_once(',') {
            Some((part, behind)) if !part.contains(':') => (part, behind),
            _ => (rest, ""),
        };
        let more = !rest.is_empty();
        rest = behind;
        more.then_some(part)
    });
    parts
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (part, None),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (text, expected) in [
            ("", &[][..]),
            (",", &[]),
            ("a=1", &[("a", Some("1"))]),
            ("a=1,,b=", &[("a", Some("1")), ("b", Some(""))]),
            ("a,b=x=y", &[("a", None), ("b", Some("x=y"))]),
            (
                "a=1,b=n:c=2,d=3",
                &[("a", Some("1")), ("b", Some("n:c=2,d=3"))],
            ),
        ] {
            assert_eq!(parameters(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
