//! The site that a page belongs to, for removers that learn site by site.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trommel_text::{host_of, registrable_domain};

/// What a site is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteBy {
    /// The registrable domain by the public suffix list: `bbc.co.uk` for `news.bbc.co.uk`.
    #[default]
    Domain,
    /// The host: `news.bbc.co.uk`.
    Host,
}

impl SiteBy {
    /// The name in parameters.
    pub fn name(self) -> &'static str {
        match self {
            SiteBy::Domain => "domain",
            SiteBy::Host => "host",
        }
    }
}

impl fmt::Display for SiteBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SiteBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "domain" => Ok(SiteBy::Domain),
            "host" => Ok(SiteBy::Host),
            _ => Err("there are: domain (by the public suffix list), host".to_owned()),
        }
    }
}

/// The site of a url, in lower case; none if the url names no host. A host that has no registrable domain (an address, a
/// public suffix, a name without a dot) is a site of its own.
pub fn site(url: &str, by: SiteBy) -> Option<String> {
    let host = host_of(url)?;
    match by {
        SiteBy::Host => Some(host),
        SiteBy::Domain => Some(registrable_domain(&host).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites() {
        for (url, domain, host) in [
            ("http://news.bbc.co.uk/2/hi", "bbc.co.uk", "news.bbc.co.uk"),
            (
                "HTTP://WWW.Example.ORG:8080",
                "example.org",
                "www.example.org",
            ),
            (
                "https://me:pw@a.b.example.com./x@y",
                "example.com",
                "a.b.example.com",
            ),
            (
                "//blog.example.com?q=http://other.org",
                "example.com",
                "blog.example.com",
            ),
            (
                "http://one.blogspot.com/",
                "one.blogspot.com",
                "one.blogspot.com",
            ),
            ("http://192.168.10.1/", "192.168.10.1", "192.168.10.1"),
            ("http://[2001:db8::1]:80/", "[2001:db8::1]", "[2001:db8::1]"),
            ("http://intranet/", "intranet", "intranet"),
            ("http://co.uk/", "co.uk", "co.uk"),
        ] {
            assert_eq!(site(url, SiteBy::Domain).as_deref(), Some(domain), "{url}");
            assert_eq!(site(url, SiteBy::Host).as_deref(), Some(host), "{url}");
        }
        for url in [
            "",
            "about:blank",
            "http://",
            "http:///path",
            "index",
            "a b//c",
            "mailto:a@b",
        ] {
            assert_eq!(site(url, SiteBy::Host), None, "{url}");
        }
    }
}
