//! The tantivy schemas: one document per block, and one per page.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use trommel_page::attribute::{self, PageWord};

/// The fast field of a block's indexed terms.
pub(crate) const NUM_TERMS: &str = "num_terms";

/// The fast field of a block's structural tag.
pub(crate) const TAG: &str = "tag";

/// Fast fields for whoever opens the index with tantivy alone: quotients of two columns, rounded to the nearest `f64`.
pub(crate) const TEXT_DENSITY: &str = "text_density";
pub(crate) const LINK_DENSITY: &str = "link_density";

/// The fast field of a page's day: its midnight, in universal time.
pub(crate) const DATE: &str = "date";

/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;

/// Goes up whenever an index directory written before can no longer be read.
pub const SCHEMA_VERSION: u32 = 4;

/// Between the terms of an analysed text. No analyzer makes a term with a line feed in it; nothing between two of these is a
/// word that was left out.
pub(crate) const TERM_SEPARATOR: char = '\n';

const TERMS_TOKENIZER: &str = "trommel-terms";

/// Fields of the block index that are no fast fields; its documents are the blocks of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockFields {
    /// Analysed terms with frequencies and positions; no field norms, lengths are exact.
    pub terms: Field,
}

pub(crate) fn block_schema() -> (Schema, BlockFields) {
    let mut schema = Schema::builder();
    for column in attribute::columns() {
        schema.add_u64_field(column.field, FAST);
    }
    schema.add_u64_field(NUM_TERMS, FAST);
    schema.add_f64_field(TEXT_DENSITY, FAST);
    schema.add_f64_field(LINK_DENSITY, FAST);
    let fields = BlockFields {
        terms: schema.add_text_field(
            "terms",
            terms_options(IndexRecordOption::WithFreqsAndPositions),
        ),
    };
    schema.add_text_field(TAG, word_options());
    (schema.build(), fields)
}

/// Fields of the page index, whose documents are the pages of a part in their order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageFields {
    pub docid: Field,
    pub url: Field,
    pub title: Field,
    /// Analysed terms of the title.
    pub title_terms: Field,
    /// Runs of letters and digits of the url, in lower case.
    pub url_terms: Field,
    /// The date as the collection has it, stored.
    pub date_text: Field,
    /// Its day, a fast field, where it has one.
    pub date: Field,
    /// Fast fields of words, where there is one.
    pub words: [(PageWord, Field); PageWord::ALL.len()],
    pub file: Field,
    pub offset: Field,
}

pub(crate) fn page_schema() -> (Schema, PageFields) {
    let mut schema = Schema::builder();
    let terms = terms_options(IndexRecordOption::WithFreqsAndPositions);
    let fields = PageFields {
        docid: schema.add_text_field("docid", STRING | STORED),
        url: schema.add_text_field("url", STORED),
        title: schema.add_text_field("title", STORED),
        title_terms: schema.add_text_field("title_terms", terms.clone()),
        url_terms: schema.add_text_field("url_terms", terms),
        date_text: schema.add_text_field("date_text", STORED),
        date: schema.add_date_field(DATE, FAST),
        words: PageWord::ALL
            .map(|word| (word, schema.add_text_field(word.field(), found_by_word()))),
        file: schema.add_text_field("file", STORED),
        offset: schema.add_u64_field("offset", STORED),
    };
    (schema.build(), fields)
}

/// A fast field of whole words.
fn word_options() -> TextOptions {
    TextOptions::from(FAST)
}

/// The same, with postings: for whoever opens the index with tantivy alone and asks `host:example.org`.
fn found_by_word() -> TextOptions {
    word_options().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false),
    )
}

fn terms_options(record: IndexRecordOption) -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(TERMS_TOKENIZER)
            .set_index_option(record)
            .set_fieldnorms(false),
    )
}

/// The tokenizers that the schemas name.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(TERMS_TOKENIZER, TermsTokenizer::default());
    manager
}

/// Reads terms that were analysed before, joined by [`TERM_SEPARATOR`].
///
/// Terms are made where pages are parsed, once, and counted there; tantivy only splits them again. An empty term holds the
/// place of a word that the analyzer left out, so that positions are those of the text.
#[derive(Clone, Default)]
struct TermsTokenizer {
    token: Token,
}

struct TermsStream<'a> {
    rest: Option<&'a str>,
    token: &'a mut Token,
}

impl Tokenizer for TermsTokenizer {
    type TokenStream<'a> = TermsStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermsStream<'a> {
        self.token.reset();
        TermsStream {
            rest: Some(text),
            token: &mut self.token,
        }
    }
}

impl TokenStream for TermsStream<'_> {
    fn advance(&mut self) -> bool {
        while let Some(rest) = self.rest {
            let (term, after) = match rest.split_once(TERM_SEPARATOR) {
                Some((term, after)) => (term, Some(after)),
                None => (rest, None),
            };
            self.rest = after;
            self.token.position = self.token.position.wrapping_add(1);
            if !term.is_empty() {
                self.token.text.clear();
                self.token.text.push_str(term);
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_keep_their_positions() {
        let mut tokenizer = TermsTokenizer::default();
        let mut stream = tokenizer.token_stream("\nquick\n\nfox");
        let mut found = Vec::new();
        stream.process(&mut |token| found.push((token.text.clone(), token.position)));
        assert_eq!(found, [("quick".to_owned(), 1), ("fox".to_owned(), 3)]);
    }
}
