//! Which `Host` headers are ours.
//!
//! A web page from elsewhere can make a browser resolve its own name to 127.0.0.1 and then read what is served there as if it were its own
//! (DNS rebinding). Such a request carries that name in `Host`. An address in numbers cannot be rebound, so any is allowed, whatever
//! the port (tunnels change it); of names only `localhost` and those that were given at start.

use std::net::{IpAddr, Ipv6Addr};

/// Is a `Host` header, or the authority of an address, one of ours?
pub fn is_allowed(host: &str, names: &[String]) -> bool {
    let Some(name) = without_port(host) else {
        return false;
    };
    if let Some(inner) = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().is_ok();
    }
    let known = |known: &str| name.eq_ignore_ascii_case(known);
    name.parse::<IpAddr>().is_ok_and(|it| it.is_ipv4())
        || known("localhost")
        || names.iter().any(|name| known(name))
}

/// The host of `host[:port]`; none if the port is no number.
fn without_port(host: &str) -> Option<&str> {
    let after_address = host.rfind(']').map_or(0, |end| end + 1);
    match host[after_address..].rsplit_once(':') {
        None => Some(host),
        Some((rest, port)) => {
            let digits = port.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| &host[..after_address + rest.len()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let names = ["search.example".to_owned()];
        for host in [
            "127.0.0.1",
            "127.0.0.1:8765",
            "192.168.1.7:80",
            "[::1]",
            "[::1]:8765",
            "localhost",
            "LOCALHOST:1",
            "search.example",
            "Search.Example:8080",
        ] {
            assert!(is_allowed(host, &names), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "evil.example:8765",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1:80@evil.example",
            "evil.example:127.0.0.1",
            "[::1",
            "[127.0.0.1]",
            "[evil.example]:80",
            "::1",
            "localhost:port",
            "search.example.",
        ] {
            assert!(!is_allowed(host, &names), "{host}");
        }
    }
}
