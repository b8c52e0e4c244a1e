//! Sizes: of a collection, of a term in it, of a query; what formulas compute with.

use trommel_text::Hundredths;

/// Size of a collection: of its pages, or of its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// N: pages (or blocks) with at least one indexed term in a passing block.
    pub num: u64,
    /// |C|: indexed terms in passing blocks, each by the weight of its block.
    pub terms: Hundredths,
}

impl Totals {
    /// Of whole counts.
    pub const fn whole(num: u64, terms: u64) -> Totals {
        Totals {
            num,
            terms: Hundredths::whole(terms),
        }
    }

    /// Average length; 0 for an empty collection.
    pub fn average_length(&self) -> f64 {
        if self.num == 0 {
            return 0.0;
        }
        self.terms.to_f64() / self.num as f64
    }
}

/// What a formula knows of a query term.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermTotals {
    /// df: pages (or blocks) with the term in a passing block.
    pub df: u64,
    /// cf: occurrences of the term in passing blocks, each by the weight of its block.
    pub cf: Hundredths,
}

impl TermTotals {
    /// Of whole counts.
    pub const fn whole(df: u64, cf: u64) -> TermTotals {
        TermTotals {
            df,
            cf: Hundredths::whole(cf),
        }
    }
}

/// What a formula knows of a query as a whole, gathered from its clauses one by one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QueryTotals {
    /// Clauses: occurrences of terms in the query, whether they occur in the collection or not.
    pub clauses: u32,
    /// |q|: the boosts of the clauses whose terms occur in the collection, summed. Each is 1 but in an expanded query.
    pub length: f64,
    /// Σ (idf · boost)² over all clauses, with [`idf`].
    pub squared_idf: f64,
}

impl QueryTotals {
    /// Counts a clause.
    pub fn add(&mut self, boost: f64, term: &TermTotals, collection: &Totals) {
        self.clauses += 1;
        if term.cf > Hundredths::default() {
            self.length += boost;
        }
        self.squared_idf += (idf(term.df, collection) * boost).powi(2);
    }
}

/// The idf of Lucene's classic formula: idf = 1 + ln(N / (df + 1)); above 0, since df never passes N (and 0 for an empty collection).
pub fn idf(df: u64, collection: &Totals) -> f64 {
    match collection.num {
        0 => 0.0,
        num => 1.0 + (num as f64 / (df as f64 + 1.0)).ln(),
    }
}
