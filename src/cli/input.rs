//! Pages one after the other, for the subcommands that look at single pages.

use std::path::PathBuf;

use anyhow::bail;

use super::options::{ReadArgs, warn};
use crate::collection::{self, Document, Format, Item, Reason};
use crate::html::{self, Limits};
use crate::page::Page;

/// Calls `each` with every page of the inputs. Gives the number of records that failed; each was named on standard error.
pub fn for_each_page(
    paths: &[PathBuf],
    read: &ReadArgs,
    mut each: impl FnMut(&Document, &Page) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let options = read.collection(Format::Auto);
    let (mut failures, mut pages) = (0, 0);
    let mut skipped_kinds = Vec::new();
    for input in collection::inputs(paths)? {
        for item in collection::open(&input, &options)? {
            match item {
                Item::Document(document) => {
                    let page = html::parse(
                        &document.bytes,
                        read.charset,
                        document.charset.as_deref(),
                        &Limits::default(),
                    );
                    if let Some(limit) = page.limit {
                        let docid = &document.docid;
                        warn(&format!("{docid}: the page is {}", limit.describe()));
                    }
                    pages += 1;
                    each(&document, &page)?;
                }
                Item::Skipped(skipped) if skipped.reason == Reason::NotFound => {
                    let docid = skipped.docid.unwrap_or_default();
                    let why = match skipped.detail.as_str() {
                        "" => String::new(),
                        detail => format!(" ({detail})"),
                    };
                    bail!("{}: no page with the docid {docid}{why}", skipped.file);
                }
                Item::Skipped(skipped) if skipped.reason.is_failure() => {
                    failures += 1;
                    warn(&skipped.to_string());
                }
                Item::Skipped(skipped) => {
                    let kind = skipped.reason.to_string();
                    if !skipped_kinds.contains(&kind) {
                        skipped_kinds.push(kind);
                    }
                }
            }
        }
    }
    if pages == 0 {
        let why = if skipped_kinds.is_empty() {
            String::new()
        } else {
            format!(" (skipped: {})", skipped_kinds.join(", "))
        };
        warn(&format!("no page in the input{why}"));
    }
    Ok(failures)
}
