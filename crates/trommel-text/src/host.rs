//! Hosts of addresses, and their registrable domains.

/// The registrable domain of a host in lower case, by the public suffix list: `bbc.co.uk` for `news.bbc.co.uk`. A host that has
/// none (an address, a public suffix, a name without a dot) stands for itself.
pub fn registrable_domain(host: &str) -> &str {
    match host.starts_with('[') || is_address(host) {
        true => host,
        false => psl::domain_str(host).unwrap_or(host),
    }
}

/// The host of an absolute url, in lower case: what stands between the slashes, without user, port and a dot at its end. Urls come from
/// crawls, where much is no url by the standard, so that nothing more is asked of them.
pub fn host_of(url: &str) -> Option<String> {
    let url = url.trim();
    let rest = match url.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || is_scheme(scheme) => rest,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.find(']') {
        Some(end) if host.starts_with('[') => &host[..=end],
        _ => host.split_once(':').map_or(host, |(host, _)| host),
    };
    let host = host.trim_end_matches('.').to_lowercase();
    let named = !host.is_empty() && !host.contains(char::is_whitespace);
    named.then_some(host)
}

fn is_address(host: &str) -> bool {
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}

fn is_scheme(text: &str) -> bool {
    let name = text.strip_suffix(':').unwrap_or("");
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    !name.is_empty() && name.chars().all(allowed)
}
