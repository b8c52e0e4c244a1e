//! Bytes as the manifest of an index whose other files are whole: without a seal it is refused; with one it is read or refused, what is
//! read reads back the same from what is written, and the index opens or does not.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use tempfile::TempDir;
use trommel::html::{self, Limits, segment};
use trommel::index::{Index, MANIFEST, Manifest, PageRecord, Provenance, Writer, WriterOptions};

/// An index of two pages. In memory, where there is such a directory.
static INDEX: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => TempDir::new_in(memory),
        false => TempDir::new(),
    };
    let folder = folder.expect("a temporary directory");
    write_index(folder.path()).expect("an index");
    folder
});

fn write_index(path: &Path) -> Result<(), trommel::index::IndexError> {
    let segmenter = &segment::all()[0];
    let writer = Writer::create(path, &WriterOptions::default())?;
    for (docid, markup) in [
        ("a", "<p>One block.<p>Two blocks."),
        ("b", "<h1>Title</h1>And <a>text</a>."),
    ] {
        let page = html::parse_text(markup, &Limits::default());
        let record = PageRecord {
            docid: docid.to_owned(),
            ..PageRecord::default()
        };
        writer.add(
            writer.number()?,
            &record,
            &(segmenter.segment)(&page).blocks,
            &[],
        )?;
    }
    writer.finish(Provenance::default())?;
    Ok(())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let index = INDEX.path();
    // As it is it has no seal, and is refused.
    fs::write(index.join(MANIFEST), data).expect("the manifest can be written");
    assert!(Manifest::read(index).is_err() && Index::open(index).is_err());
    let Ok(manifest) = serde_json::from_slice::<Manifest>(data) else {
        return;
    };
    manifest.write(index).expect("the manifest can be written");
    let Ok(read) = Manifest::read(index) else {
        assert!(Index::open(index).is_err());
        return;
    };
    assert_eq!(read, manifest);
    let opened = Index::open(index).is_ok();
    read.write(index).expect("the manifest can be written");
    assert_eq!(Index::open(index).is_ok(), opened);
});
