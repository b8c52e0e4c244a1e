//! The files of a segment against those that tantivy writes of the same blocks.

use std::collections::BTreeMap;
use std::path::Path;

use tantivy::directory::MmapDirectory;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::{Index, TantivyDocument};
use trommel_page::attribute;

use super::*;
use crate::format::schema::{LINK_DENSITY, NUM_TERMS, TAG, TERM_SEPARATOR, TEXT_DENSITY};
use crate::format::texts::Texts;

/// The files of a directory but tantivy's lists, which have random names in them, by their endings.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(path).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let named = paths.map(|path| {
        let ending = path.extension().unwrap().to_str().unwrap().to_owned();
        (ending, std::fs::read(path).unwrap())
    });
    named.filter(|(ending, _)| ending != "json").collect()
}

/// Has tantivy index blocks.
fn by_tantivy(path: &Path, blocks: &[Block], analyzer: Analyzer, unit: DensityUnit) {
    let (schema, _) = schema::block_schema();
    let field = |name: &str| schema.get_field(name).unwrap();
    let mut writer: SingleSegmentIndexWriter = Index::builder()
        .schema(schema.clone())
        .tokenizers(schema::tokenizers())
        .settings(settings())
        .single_segment_index_writer(MmapDirectory::open(path).unwrap(), 15_000_000)
        .unwrap();
    for block in blocks {
        let (mut terms, mut count) = (String::new(), 0);
        let mut separators = 0;
        analyzer.for_each_term(&block.text, |term| {
            while separators < term.position {
                terms.push(TERM_SEPARATOR);
                separators += 1;
            }
            terms.push_str(term.term);
            count += 1;
        });
        let mut document = TantivyDocument::new();
        document.add_text(field("terms"), terms);
        document.add_text(field(TAG), block.tag.name());
        document.add_u64(field(NUM_TERMS), count);
        for column in attribute::columns() {
            document.add_u64(field(column.field), u64::from((column.measure)(block)));
        }
        document.add_f64(field(TEXT_DENSITY), block.text_density());
        document.add_f64(field(LINK_DENSITY), block.link_density(unit));
        writer.add_document(document).unwrap();
    }
    writer.finalize().unwrap();
}

#[track_caller]
fn check(blocks: &[Block], analyzer: Analyzer, unit: DensityUnit) {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut writer = SegmentWriter::create(ours.path(), 0, (analyzer, unit), 100_000).unwrap();
    for of_page in blocks.chunks(90) {
        of_page
            .iter()
            .for_each(|block| assert!(writer.add(block).is_ok()));
        writer.end_page().unwrap();
    }
    let path = part::blocks(ours.path(), 0);
    assert_eq!(writer.blocks() as usize, blocks.len());
    writer.finish().unwrap();
    by_tantivy(theirs.path(), blocks, analyzer, unit);
    let (found, expected) = (files(&path), files(theirs.path()));
    assert!(found.keys().eq(expected.keys()), "{:?}", found.keys());
    // In tantivy's store there is nothing of ours.
    for (ending, bytes) in expected.iter().filter(|(ending, _)| *ending != "store") {
        let same = found[ending] == *bytes;
        assert!(same, "{ending} of {} blocks, {analyzer:?}", blocks.len());
    }
    let index = Index::open_in_dir(&path).unwrap();
    assert!(index.validate_checksum().unwrap().is_empty());
    let reader = index.reader().unwrap();
    assert_eq!(reader.searcher().num_docs() as usize, blocks.len());
    let texts = Texts::open(ours.path(), 0).unwrap();
    let stored = texts.read(0..blocks.len() as u32).unwrap();
    assert!(stored.iter().eq(blocks.iter().map(|block| &block.text)));
}

/// Blocks of random words and numbers, some without terms, some long.
fn random_blocks(count: usize) -> Vec<Block> {
    let mut state = 1u64;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % bound
    };
    let tags = ["p", "li", "div", "", "h1", "x-own", "td"];
    let block = |_| {
        let words = match below(50) {
            0 => below(2_000),
            1 => 0,
            _ => below(20),
        };
        let mut text = String::new();
        for _ in 0..words {
            match below(5) {
                0 => text += "the",
                1 => text += &"Längst".repeat(below(50) as usize),
                2 => text += &format!("w{}", below(30)),
                _ => text += &format!("word{}ing", below(20_000)),
            }
            text += [" ", ", ", ". "][below(3) as usize];
        }
        let num_words = words as u32;
        Block {
            text,
            tag: trommel_page::Tag::from_name(tags[below(7) as usize]),
            num_words,
            num_tokens: num_words + below(5) as u32,
            num_linked_words: below(words + 1) as u32,
            num_words_in_full_lines: below(words + 1) as u32,
            num_lines: 1 + below(words / 10 + 1) as u32,
        }
    };
    (0..count).map(block).collect()
}

#[test]
fn files_are_those_that_tantivy_writes() {
    for count in [0, 1, 2, 200, 5_000] {
        check(&random_blocks(count), Analyzer::English, DensityUnit::Words);
    }
    let blocks = random_blocks(700);
    for analyzer in [Analyzer::Plain, Analyzer::None, Analyzer::Cjk] {
        check(&blocks, analyzer, DensityUnit::Tokens);
    }
    let silent = vec![Block::default(); 300];
    check(&silent, Analyzer::English, DensityUnit::Words);
}
