//! Texts that are written and read again.

use std::fs;
use std::path::Path;

use super::*;
use crate::format::texts::file_name;

/// Pages of made-up blocks: some like those of pages before, some long, some empty.
fn pages(count: u32, seed: u64) -> Vec<Vec<String>> {
    let mut state = seed;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut block = |page: u32| match below(20) {
        0 => String::new(),
        1..8 => format!("a line of the site's menu, number {}", below(30)),
        8..10 => format!("№ {}", below(10)),
        10 if page.is_multiple_of(16) => format!("very long, {page} ").repeat(600),
        _ => format!("words of page {page} that are {} ", below(1 << 30))
            .repeat(1 + below(3) as usize),
    };
    (0..count)
        .map(|page| (0..page % 23).map(|_| block(page)).collect())
        .collect()
}

fn write(part: &Path, segment: usize, pages: &[Vec<String>]) {
    let mut writer = TextWriter::create(part, segment, 20_000).unwrap();
    for page in pages {
        page.iter().for_each(|text| writer.add(text).unwrap());
        writer.end_page().unwrap();
    }
    writer.finish().unwrap();
}

/// Reads every page, and every block by itself.
#[track_caller]
fn check(texts: &Texts, pages: &[Vec<String>]) {
    let mut first = 0;
    for page in pages {
        let end = first + page.len() as u32;
        assert_eq!(texts.read(first..end).unwrap(), *page);
        for (block, text) in (first..).zip(page) {
            assert_eq!(texts.read(block..block + 1).unwrap(), [text.as_str()]);
        }
        first = end;
    }
    assert_eq!(texts.num_blocks(), first);
    assert!(texts.read(first..first + 1).is_err());
}

#[test]
fn texts_come_back() {
    let place = tempfile::tempdir().unwrap();
    for count in [0, 1, 2, 30, 400] {
        let pages = pages(count, 1);
        write(place.path(), 3, &pages);
        check(&Texts::open(place.path(), 3).unwrap(), &pages);
    }
    let texts = Texts::open(place.path(), 3).unwrap();
    let (chunks, frames, runs) = texts.stored();
    assert!(chunks.len() > 20 && runs.len() == 1, "{runs:?}");
    let plain: usize = pages(400, 1).iter().flatten().map(String::len).sum();
    assert!(3 * frames.len() < plain, "{} of {plain}", frames.len());
}

/// Files one after another, one of them with runs of its own, and pages between them.
#[test]
fn files_are_stacked_as_they_are() {
    let place = tempfile::tempdir().unwrap();
    let all: Vec<Vec<Vec<String>>> = (1..5).map(|seed| pages(60, seed)).collect();
    for (segment, pages) in all.iter().enumerate() {
        write(place.path(), segment, pages);
    }
    let open = |segment: usize| Texts::open(place.path(), segment).unwrap();
    let stack = |target: usize, sources: &[usize], between: &[Vec<String>]| {
        let mut writer = TextWriter::create(place.path(), target, 20_000).unwrap();
        for source in sources {
            writer.stack(&open(*source)).unwrap();
            for page in between {
                page.iter().for_each(|text| writer.add(text).unwrap());
                writer.end_page().unwrap();
            }
        }
        writer.finish().unwrap();
    };
    stack(4, &[0, 1], &[]);
    check(&open(4), &all[..2].concat());
    assert_eq!(
        open(4).stored().1,
        [open(0).stored().1, open(1).stored().1].concat()
    );
    let between = pages(20, 9);
    stack(5, &[2, 4, 3], &between);
    let expected = [
        &all[2], &between, &all[0], &all[1], &between, &all[3], &between,
    ];
    check(&open(5), &expected.map(Vec::as_slice).concat());
    assert_eq!(open(5).stored().2.len(), 7);
}

/// Whatever byte is changed or missing, the texts are what they were or there is an error that names the file.
#[test]
fn damage_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let pages = pages(20, 1);
    write(place.path(), 0, &pages);
    let path = place.path().join(file_name(0));
    let whole = fs::read(&path).unwrap();
    let expected = pages.concat();
    let is_refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let texts = Texts::open(place.path(), 0)
            .and_then(|texts| texts.read(0..texts.num_blocks().min(expected.len() as u32)));
        match texts {
            Ok(texts) => assert_eq!(texts, expected),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("texts.0 is damaged: "), "{text}");
                return true;
            }
        }
        false
    };
    assert!(!is_refused(&whole));
    let mut refused = 0;
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        refused += usize::from(is_refused(&changed));
    }
    // Some bits of a frame's header say nothing.
    assert!(refused + 50 > whole.len(), "{refused} of {}", whole.len());
    for length in [0, 7, 8, 16, whole.len() / 2, whole.len() - 1] {
        assert!(is_refused(&whole[..length]), "{length}");
    }
    // A block that points to itself, to one behind it, to one that is not there, to one that points elsewhere.
    let cases: [&[Option<u32>]; 4] = [
        &[Some(0)],
        &[Some(1), None],
        &[None, Some(9)],
        &[None, Some(0), Some(1)],
    ];
    for blocks in cases {
        let mut gathered = Gathered::default();
        for block in blocks {
            match block {
                Some(same) => gathered.same(*same),
                None => gathered.own("text"),
            }
        }
        let (mut bytes, count) = (Vec::new(), gathered.blocks());
        gathered.write(&mut bytes);
        let frame = zstd::bulk::compress(&bytes, 1).unwrap();
        let mut file = TextFile::create(place.path(), 0).unwrap();
        file.add(&frame, count, bytes.len() as u32).unwrap();
        file.finish().unwrap();
        let texts = Texts::open(place.path(), 0).unwrap();
        let error = texts.read(0..count).unwrap_err();
        assert!(error.to_string().contains("not where it says"), "{error}");
    }
}
