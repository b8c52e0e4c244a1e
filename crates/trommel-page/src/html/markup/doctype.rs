//! Does a DOCTYPE put the page into quirks mode? HTML standard §13.2.5.53–13.2.5.68 and §13.2.6.4.1. Of all that the mode changes, one
//! thing concerns the tree: a table in a paragraph does not end it.

/// `text` is what stands between `<!doctype` and the next `>`, which ends it in any case; `unfinished` where the page ends before.
pub(crate) fn is_quirky(text: &str, unfinished: bool) -> bool {
    let text = text.replace('\0', "\u{fffd}").to_ascii_lowercase();
    let text = trim(&text);
    let name_end = text.find(is_space).unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    let rest = trim(rest);
    if unfinished || name != "html" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    let (public, system) = if let Some(rest) = rest.strip_prefix("public") {
        match quoted(rest) {
            Quoted::Closed(public, rest) => match quoted(rest) {
                Quoted::Closed(system, _) => (Some(public), Some(system)),
                Quoted::None if trim(rest).is_empty() => (Some(public), None),
                _ => return true,
            },
            _ => return true,
        }
    } else if let Some(rest) = rest.strip_prefix("system") {
        match quoted(rest) {
            Quoted::Closed(system, _) => (None, Some(system)),
            _ => return true,
        }
    } else {
        return true;
    };
    if system.is_some_and(|system| {
        system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
    }) {
        return true;
    }
    let Some(public) = public else { return false };
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| public.starts_with(prefix));
    PUBLIC.contains(&public)
        || begins(PUBLIC_PREFIXES)
        || system.is_none() && begins(PUBLIC_PREFIXES_WITHOUT_SYSTEM)
}

enum Quoted<'a> {
    /// No quoted identifier stands there.
    None,
    /// One that does not end.
    Open,
    /// The identifier and what follows it.
    Closed(&'a str, &'a str),
}

fn quoted(text: &str) -> Quoted<'_> {
    let text = trim(text);
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        return Quoted::None;
    };
    match text[1..].split_once(quote) {
        Some((inner, rest)) => Quoted::Closed(inner, rest),
        None => Quoted::Open,
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

const PUBLIC: &[&str] = &[
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
];

const PUBLIC_PREFIXES_WITHOUT_SYSTEM: &[&str] = &[
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];

const PUBLIC_PREFIXES: &[&str] = &[
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctypes() {
        for (text, quirky) in [
            (" html", false),
            ("HTML ", false),
            ("", true),
            (" svg", true),
            (" html x", true),
            (" html SYSTEM 'about:legacy-compat'", false),
            (" html SYSTEM", true),
            (" html SYSTEM 'a", true),
            (" html PUBLIC", true),
            (" html PUBLIC 'a'x", true),
            (
                " html PUBLIC '-//W3C//DTD HTML 4.01//EN' \"http://www.w3.org/TR/html4/strict.dtd\" x",
                false,
            ),
            (
                " html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"",
                true,
            ),
            (
                " html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"\"\"",
                false,
            ),
            (
                " html PUBLIC '-//W3C//DTD HTML 4.0 Transitional//EN' ''",
                true,
            ),
            (
                " html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'",
                false,
            ),
            (" html PUBLIC 'HTML'", true),
        ] {
            assert_eq!(is_quirky(text, false), quirky, "{text}");
        }
        assert!(is_quirky(" html", true));
    }
}
