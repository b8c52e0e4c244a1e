//! The tantivy schemas: one document per block, and one per page.

use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};

/// Goes up whenever an index directory written before can no longer be read.
pub const SCHEMA_VERSION: u32 = 3;

/// Between the terms of an analysed text. No analyzer makes a term with a line feed in it; nothing between two of these is a
/// word that was left out.
pub(super) const TERM_SEPARATOR: char = '\n';

const TERMS_TOKENIZER: &str = "trommel-terms";

/// Fields of the block index, whose documents are the blocks of a segment. Their counts are in columns of our own.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockFields {
    /// Analysed terms with frequencies and positions; no field norms, lengths are exact.
    pub terms: Field,
    /// The text as the segmenter left it, stored.
    pub text: Field,
    /// The structural tag, stored.
    pub tag: Field,
}

pub(super) fn block_schema() -> (Schema, BlockFields) {
    let mut schema = Schema::builder();
    let fields = BlockFields {
        terms: schema.add_text_field(
            "terms",
            terms_options(IndexRecordOption::WithFreqsAndPositions),
        ),
        text: schema.add_text_field("text", STORED),
        tag: schema.add_text_field("tag", STORED),
    };
    (schema.build(), fields)
}

/// Fields of the page index, whose documents are the pages of a part in their order.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFields {
    pub docid: Field,
    pub url: Field,
    pub title: Field,
    /// Analysed terms of the title.
    pub title_terms: Field,
    /// Runs of letters and digits of the url, in lower case.
    pub url_terms: Field,
    pub date: Field,
    pub file: Field,
    pub offset: Field,
}

pub(super) fn page_schema() -> (Schema, PageFields) {
    let mut schema = Schema::builder();
    let terms = terms_options(IndexRecordOption::WithFreqsAndPositions);
    let fields = PageFields {
        docid: schema.add_text_field("docid", STRING | STORED),
        url: schema.add_text_field("url", STORED),
        title: schema.add_text_field("title", STORED),
        title_terms: schema.add_text_field("title_terms", terms.clone()),
        url_terms: schema.add_text_field("url_terms", terms),
        date: schema.add_text_field("date", STORED),
        file: schema.add_text_field("file", STORED),
        offset: schema.add_u64_field("offset", STORED),
    };
    (schema.build(), fields)
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
pub(super) fn tokenizers() -> TokenizerManager {
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
