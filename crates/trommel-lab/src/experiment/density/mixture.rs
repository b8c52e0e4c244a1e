//! The random writer of short and long text: WSDM 2010, Equation 3.

use serde::Serialize;

use super::fit::{least_squares, logistic, logit};
use super::geometric::geometric;
use super::parameter::Parameter;

/// The parameters of the mixture, probabilities all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Mixture {
    /// P_N(S) = 1 − P_N(L): a new block is one of short text.
    pub short: f64,
    /// P_S(N): short text ends after a word; its mean length is 1/P_S(N).
    pub short_ends: f64,
    /// P_L(N): long text ends after a word. Not above P_S(N).
    pub long_ends: f64,
}

/// What the paper gives for GoogleNews.
pub const PUBLISHED: Mixture = Mixture {
    short: 0.7586,
    short_ends: 0.3968,
    long_ends: 0.04369,
};

impl Mixture {
    /// Pr(Y = x) = P_N(S) · P_S(S)^(x − 1) · P_S(N) + P_N(L) · P_L(L)^(x − 1) · P_L(N) for x of 1 and more.
    pub fn at(&self, x: f64) -> f64 {
        self.short_at(x) + self.long_at(x)
    }

    /// The part of short text.
    pub fn short_at(&self, x: f64) -> f64 {
        self.short * geometric(self.short_ends, x)
    }

    /// The part of long text.
    pub fn long_at(&self, x: f64) -> f64 {
        (1.0 - self.short) * geometric(self.long_ends, x)
    }

    fn free(&self) -> Vec<f64> {
        [self.short, self.short_ends, self.long_ends]
            .map(logit)
            .to_vec()
    }

    fn of_free(free: &[f64]) -> Mixture {
        let [short, short_ends, long_ends] = [0, 1, 2].map(|number| logistic(free[number]));
        Mixture {
            short,
            short_ends,
            long_ends,
        }
    }
}

/// Fits the mixture to shares of blocks (x words, share).
pub(super) fn fit(points: &[(f64, f64)]) -> Option<Mixture> {
    let other = |short, short_ends, long_ends| Mixture {
        short,
        short_ends,
        long_ends,
    };
    let starts = [
        PUBLISHED.free(),
        other(0.5, 0.6, 0.1).free(),
        other(0.5, 0.2, 0.01).free(),
    ];
    let free = least_squares(points, &starts, |free, x| Mixture::of_free(free).at(x))?;
    let found = Mixture::of_free(&free);
    // The two parts are told apart by what the paper requires of them: short text ends sooner.
    Some(match found.short_ends >= found.long_ends {
        true => found,
        false => Mixture {
            short: 1.0 - found.short,
            short_ends: found.long_ends,
            long_ends: found.short_ends,
        },
    })
}

/// The parameters for tables.
pub(super) fn parameters(found: &Mixture) -> Vec<Parameter> {
    let row = |symbol, meaning, value, published| Parameter {
        symbol,
        meaning,
        value,
        published: Some(published),
    };
    vec![
        row(
            "P_N(S)",
            "share of short text among blocks",
            found.short,
            PUBLISHED.short,
        ),
        row(
            "P_S(N)",
            "chance that short text ends after a word",
            found.short_ends,
            PUBLISHED.short_ends,
        ),
        row(
            "P_L(N)",
            "chance that long text ends after a word",
            found.long_ends,
            PUBLISHED.long_ends,
        ),
    ]
}
