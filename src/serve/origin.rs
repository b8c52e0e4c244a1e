//! Which requests the pages of others have started.
//!
//! Any page in a browser can have it ask for addresses on this machine. It cannot read the answers, but a sweep is a burden even if nobody
//! reads it. Browsers say in `Sec-Fetch-Site` where a request was started; older ones, and all of them for addresses that are neither on
//! this machine nor encrypted, say less: `Origin`, and not with every request.

use axum::http::{HeaderMap, HeaderName};

use super::assets::DOCUMENTS;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");
const ORIGIN: HeaderName = HeaderName::from_static("origin");

/// Has a page of another site started a request for this path, other than by a link to one of our documents? `host` is the request's.
pub fn is_foreign(headers: &HeaderMap, host: &str, path: &str) -> bool {
    let is = |name: &HeaderName, value: &str| headers.get(name).is_some_and(|it| it == value);
    if headers.contains_key(SITE) {
        // `none`: typed, a bookmark, a link in another program.
        let ours = is(&SITE, "same-origin") || is(&SITE, "none");
        let is_document = DOCUMENTS.iter().any(|(address, _)| *address == path);
        let link = is_document && is(&MODE, "navigate") && is(&DEST, "document");
        return !ours && !link;
    }
    let is_ours = |origin: &str| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    };
    let origins = headers.get_all(ORIGIN).iter();
    let mut origins = origins.map(|origin| origin.to_str().unwrap_or_default());
    !origins.all(is_ours)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(path: &str, lines: &[(&'static str, &'static str)], foreign: bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        assert_eq!(
            is_foreign(&headers, "localhost:8765", path),
            foreign,
            "{path} {lines:?}"
        );
    }

    #[test]
    fn requests_that_other_sites_start() {
        let api = "/api/sweep";
        check(api, &[], false);
        check(api, &[("sec-fetch-site", "same-origin")], false);
        check(api, &[("sec-fetch-site", "none")], false);
        check(api, &[("sec-fetch-site", "cross-site")], true);
        // Another port of this machine.
        check(api, &[("sec-fetch-site", "same-site")], true);
        check(api, &[("sec-fetch-site", "")], true);
        check(api, &[("origin", "http://localhost:8765")], false);
        check(api, &[("origin", "https://LOCALHOST:8765")], false);
        check(api, &[("origin", "http://localhost:3000")], true);
        check(api, &[("origin", "http://evil.example")], true);
        check(api, &[("origin", "null")], true);
        check(
            api,
            &[
                ("origin", "http://localhost:8765"),
                ("origin", "http://evil.example"),
            ],
            true,
        );
    }

    #[test]
    fn links_from_other_sites_lead_to_documents_alone() {
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        check("/", &link, false);
        check("/sweep", &link, false);
        check("/api/sweep", &link, true);
        check("/assets/sweep.js", &link, true);
        check("/", &[link[0], link[1], ("sec-fetch-dest", "iframe")], true);
        check(
            "/",
            &[
                link[0],
                ("sec-fetch-mode", "no-cors"),
                ("sec-fetch-dest", "image"),
            ],
            true,
        );
    }
}
