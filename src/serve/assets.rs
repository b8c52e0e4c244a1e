//! The files of the web page, compiled in.

/// A file.
pub struct Asset {
    /// Its name under `/assets/`.
    pub name: &'static str,
    /// What it holds.
    pub content: &'static str,
}

macro_rules! asset {
    ($name:literal) => {
        Asset {
            name: $name,
            content: include_str!(concat!("assets/", $name)),
        }
    };
}

/// The documents, by their addresses.
pub const DOCUMENTS: [(&str, Asset); 3] = [
    ("/", asset!("search.html")),
    ("/page", asset!("page.html")),
    ("/sweep", asset!("sweep.html")),
];

/// What the documents load.
pub const ASSETS: &[Asset] = &[
    asset!("api.js"),
    asset!("block.js"),
    asset!("chart.js"),
    asset!("dom.js"),
    asset!("explain.js"),
    asset!("expression.js"),
    asset!("field.js"),
    asset!("filter.js"),
    asset!("frame.js"),
    asset!("gains.js"),
    asset!("histogram.js"),
    asset!("icon.svg"),
    asset!("page.js"),
    asset!("reading.js"),
    asset!("result.js"),
    asset!("search.js"),
    asset!("state.js"),
    asset!("style.css"),
    asset!("sweep.js"),
    asset!("totals.js"),
    asset!("weights.js"),
];

impl Asset {
    /// Its media type, by the end of its name.
    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_has_its_row() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/assets");
        let files = fs::read_dir(folder).unwrap();
        let mut files: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let documents = DOCUMENTS.iter().map(|(_, document)| document.name);
        let mut rows: Vec<&str> = documents.chain(ASSETS.iter().map(|it| it.name)).collect();
        rows.sort_unstable();
        assert_eq!(rows, files);
    }
}
