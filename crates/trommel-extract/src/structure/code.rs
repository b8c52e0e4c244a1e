//! In which language code is, as its markup declares it.

/// Prefixes of classes behind which highlighters name the language: HTML standard §4.5.15 (`language-`), Prism and highlight.js (`lang-`),
/// GitHub (`highlight-source-`), Sphinx (`highlight-`), SyntaxHighlighter (`brush:`), Rouge and Pandoc (`sourceCode`).
const PREFIXES: [&str; 5] = [
    "language-",
    "lang-",
    "highlight-source-",
    "highlight-text-",
    "highlight-",
];
/// Classes behind which the language is the next class.
const BEFORE: [&str; 6] = [
    "brush:",
    "sourcecode",
    "src",
    "hljs",
    "codehilite",
    "prettyprint",
];
/// What stands in these places and is no language.
const NONE: [&str; 22] = [
    "default",
    "none",
    "text",
    "plain",
    "plaintext",
    "txt",
    "nohighlight",
    "no-highlight",
    "wrap",
    "numberlines",
    "linenums",
    "line-numbers",
    "undefined",
    "notranslate",
    "code",
    "prettyprinted",
    "copy",
    "block",
    "wp-block-code",
    "toolbar",
    "highlight",
    "auto",
];
/// Languages that are known by name where a class only may be one: what is taken for one there must be on this list.
const KNOWN: [&str; 60] = [
    "asm",
    "awk",
    "bash",
    "bat",
    "c",
    "c++",
    "c#",
    "clojure",
    "cmake",
    "cpp",
    "cs",
    "csharp",
    "css",
    "csv",
    "cuda",
    "d",
    "dart",
    "diff",
    "dockerfile",
    "elixir",
    "erlang",
    "fortran",
    "fsharp",
    "go",
    "graphql",
    "groovy",
    "haskell",
    "html",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsx",
    "julia",
    "kotlin",
    "latex",
    "lisp",
    "lua",
    "makefile",
    "matlab",
    "nix",
    "objectivec",
    "ocaml",
    "perl",
    "php",
    "powershell",
    "python",
    "r",
    "ruby",
    "rust",
    "scala",
    "shell",
    "sh",
    "sql",
    "swift",
    "toml",
    "typescript",
    "xml",
    "yaml",
];

/// The language that an element declares by its class, or by `data-lang` or `data-language`, in lower case.
pub fn language(class: &str, data: Option<&str>) -> Option<String> {
    if let Some(language) = data.and_then(named) {
        return Some(language);
    }
    let mut classes = class
        .split([' ', '\t', '\n', '\x0c', ';', ','])
        .filter(|it| !it.is_empty());
    let mut is_behind = false;
    while let Some(class) = classes.next() {
        let class = class.to_ascii_lowercase();
        for prefix in PREFIXES {
            if let Some(language) = class.strip_prefix(prefix).and_then(named) {
                return Some(language);
            }
        }
        if let Some(language) = class.strip_prefix("brush:").and_then(named) {
            return Some(language);
        }
        if is_behind && KNOWN.contains(&class.as_str()) {
            return Some(class);
        }
        if class == "brush:" {
            return classes.next().and_then(named);
        }
        is_behind |= BEFORE.contains(&class.as_str());
    }
    None
}

/// A word that may name a language: letters, digits and what languages have in their names.
fn named(word: &str) -> Option<String> {
    let word = word.trim().to_ascii_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.');
    let fits = (1..=24).contains(&word.len()) && word.chars().all(is_name);
    (fits && !NONE.contains(&word.as_str())).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(class: &str, data: Option<&str>, expected: &str) {
        assert_eq!(
            language(class, data).unwrap_or_default(),
            expected,
            "{class}"
        );
    }

    #[test]
    fn languages_of_highlighters() {
        check("language-rust", None, "rust");
        check("line-numbers language-JavaScript extra", None, "javascript");
        check("highlight highlight-source-c++", None, "c++");
        check("brush: python; gutter: false", None, "python");
        check("brush:js", None, "js");
        check("sourceCode haskell", None, "haskell");
        check("hljs json", None, "json");
        check("", Some("Go"), "go");
        check("language-plaintext", None, "");
        check("prettyprint linenums", None, "");
        check("python", None, "");
        check("language-a\"b", None, "");
        check("code-block wide", None, "");
    }
}
