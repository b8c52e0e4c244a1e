//! Two beta distributions and a normal one: WWW 2009, Equation 1,
//!
//! f(x) = c · (d · f_beta(x; a₁, b₁) + (1 − d) · f_beta(x; a₂, b₂)) + (1 − c) · φ(e·x + f; µ, σ),
//!
//! for the share of text in blocks of rounded density 36·x.
//!
//! Notes on the equation. The normal distribution's f and µ cannot be told apart, since only µ − f has an effect: nine of the ten
//! parameters can be fitted. The paper prints σ² = 6.489, but its curve has its modes at densities 2 and 12, as the text says, only
//! if that is σ; with σ = √6.489 there would be one at 10.

use std::f64::consts::PI;

use puruspe::ln_gamma;
use serde::Serialize;

use super::fit::least_squares;
use super::parameter::Parameter;

/// x_norm: the density that 1 stands for.
pub const DENSITY_OF_1: f64 = 36.0;

/// The three parts, each a distribution over 0..=1 times a weight: densities of blocks divided by [`DENSITY_OF_1`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct BetaNormal {
    /// a₁ and b₁, of the denser class. Above 1, so that there is one mode.
    pub dense: [f64; 2],
    /// a₂ and b₂.
    pub thin: [f64; 2],
    /// c · d.
    pub dense_weight: f64,
    /// c · (1 − d).
    pub thin_weight: f64,
    /// (1 − c)/e.
    pub normal_weight: f64,
    /// (µ − f)/e: where the normal distribution has its mean.
    pub normal_mean: f64,
    /// σ/e: its standard deviation.
    pub normal_deviation: f64,
}

/// The parameters of the paper's equation, with µ − f for the two that cannot be told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Equation {
    /// a₁ and b₁.
    pub dense: [f64; 2],
    /// a₂ and b₂.
    pub thin: [f64; 2],
    /// c.
    pub c: f64,
    /// d.
    pub d: f64,
    /// e.
    pub e: f64,
    /// µ − f.
    pub shift: f64,
    /// σ.
    pub sigma: f64,
}

/// What the paper gives for Webspam UK-2007.
pub const PUBLISHED: Equation = Equation {
    dense: [68.03, 132.5],
    thin: [4.034, 54.49],
    c: 0.015,
    d: 0.64,
    e: 78.87,
    shift: 28.65 - 7.834,
    sigma: 6.489,
};

impl From<Equation> for BetaNormal {
    fn from(of: Equation) -> BetaNormal {
        BetaNormal {
            dense: of.dense,
            thin: of.thin,
            dense_weight: of.c * of.d,
            thin_weight: of.c * (1.0 - of.d),
            normal_weight: (1.0 - of.c) / of.e,
            normal_mean: of.shift / of.e,
            normal_deviation: of.sigma / of.e,
        }
    }
}

impl From<BetaNormal> for Equation {
    fn from(of: BetaNormal) -> Equation {
        let c = of.dense_weight + of.thin_weight;
        let e = (1.0 - c) / of.normal_weight;
        Equation {
            dense: of.dense,
            thin: of.thin,
            c,
            d: of.dense_weight / c,
            e,
            shift: of.normal_mean * e,
            sigma: of.normal_deviation * e,
        }
    }
}

impl BetaNormal {
    /// The share of text of a rounded density.
    pub fn at(&self, density: f64) -> f64 {
        self.dense_at(density) + self.thin_at(density) + self.normal_at(density)
    }

    /// The part of the first beta distribution.
    pub fn dense_at(&self, density: f64) -> f64 {
        self.dense_weight * beta(density / DENSITY_OF_1, self.dense)
    }

    /// The part of the second beta distribution.
    pub fn thin_at(&self, density: f64) -> f64 {
        self.thin_weight * beta(density / DENSITY_OF_1, self.thin)
    }

    /// The part of the normal distribution.
    pub fn normal_at(&self, density: f64) -> f64 {
        let z = (density / DENSITY_OF_1 - self.normal_mean) / self.normal_deviation;
        self.normal_weight * (-z * z / 2.0).exp() / (self.normal_deviation * (2.0 * PI).sqrt())
    }

    /// What is above 0, or 1, by its logarithm.
    fn free(&self) -> Vec<f64> {
        let [a, b] = self.dense.map(|it| (it - 1.0).ln());
        let [c, d] = self.thin.map(|it| (it - 1.0).ln());
        let weights = [self.dense_weight, self.thin_weight, self.normal_weight];
        let [dense, thin, normal] = weights.map(f64::ln);
        let deviation = self.normal_deviation.ln();
        vec![a, b, c, d, dense, thin, normal, self.normal_mean, deviation]
    }

    fn of_free(free: &[f64]) -> BetaNormal {
        let exp = |number: usize| free[number].exp();
        BetaNormal {
            dense: [1.0 + exp(0), 1.0 + exp(1)],
            thin: [1.0 + exp(2), 1.0 + exp(3)],
            dense_weight: exp(4),
            thin_weight: exp(5),
            normal_weight: exp(6),
            normal_mean: free[7],
            normal_deviation: exp(8),
        }
    }
}

/// Parameters that are fitted.
pub const FREE: usize = 9;

/// The density of the beta distribution.
pub(super) fn beta(x: f64, [a, b]: [f64; 2]) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let ln_beta = ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    ((a - 1.0) * x.ln() + (b - 1.0) * (1.0 - x).ln() - ln_beta).exp()
}

/// Fits the three parts to shares of text (rounded density, share).
pub(super) fn fit(points: &[(f64, f64)]) -> Option<BetaNormal> {
    let published = BetaNormal::from(PUBLISHED);
    let starts = [
        published,
        // A narrow transition, a wide one, and text in thinner lines than English.
        BetaNormal {
            normal_deviation: 0.03,
            ..published
        },
        BetaNormal {
            normal_mean: 0.15,
            normal_deviation: 0.15,
            ..published
        },
        BetaNormal {
            dense: [40.0, 140.0],
            normal_mean: 0.15,
            ..published
        },
    ];
    let starts = starts.map(|start| start.free());
    let free = least_squares(points, &starts, |free, x| BetaNormal::of_free(free).at(x))?;
    let found = BetaNormal::of_free(&free);
    let mean = |[a, b]: [f64; 2]| a / (a + b);
    Some(match mean(found.dense) >= mean(found.thin) {
        true => found,
        false => BetaNormal {
            dense: found.thin,
            thin: found.dense,
            dense_weight: found.thin_weight,
            thin_weight: found.dense_weight,
            ..found
        },
    })
}

/// The parameters for tables.
pub(super) fn parameters(found: &BetaNormal) -> Vec<Parameter> {
    let row = |symbol, meaning, of: fn(&Equation) -> f64| Parameter {
        symbol,
        meaning,
        value: of(&Equation::from(*found)),
        published: Some(of(&PUBLISHED)),
    };
    vec![
        row("a1", "dense class", |it| it.dense[0]),
        row("b1", "dense class", |it| it.dense[1]),
        row("a2", "thin class", |it| it.thin[0]),
        row("b2", "thin class", |it| it.thin[1]),
        row("c", "weight of the beta distributions", |it| it.c),
        row("d", "share of the dense class in them", |it| it.d),
        row("e", "scale of the normal distribution", |it| it.e),
        row("µ − f", "place of the normal distribution", |it| {
            it.shift
        }),
        row("σ", "width of the normal distribution", |it| it.sigma),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: beta.pdf and norm.pdf at the paper's parameters, put together as the equation says.
    #[test]
    fn published_curve() {
        let curve = BetaNormal::from(PUBLISHED);
        let back = Equation::from(curve);
        assert!((back.e - PUBLISHED.e).abs() < 1e-9 && (back.sigma - 6.489).abs() < 1e-9);
        for (density, share) in SCIPY {
            let found = curve.at(density);
            assert!((found - share).abs() < 1e-9, "{density}: {found} {share}");
        }
        // What the text says of the figure: two modes, at 2 and 12, and the normal distribution the greatest from 5 to 10.
        let at = |density: u32| curve.at(f64::from(density));
        let modes: Vec<u32> = (1..36)
            .filter(|&it| at(it) > at(it - 1) && at(it) > at(it + 1))
            .collect();
        assert_eq!(modes, [2, 12]);
        for density in 5..=10 {
            let x = f64::from(density);
            let normal = curve.normal_at(x);
            assert!(
                normal > curve.dense_at(x) && normal > curve.thin_at(x),
                "{density}"
            );
        }
        let sum: f64 = (0..=36).map(at).sum();
        assert!((sum - 1.0).abs() < 0.01, "{sum}");
        // The other reading of the printed variance.
        let narrow = BetaNormal::from(Equation {
            sigma: 6.489f64.sqrt(),
            ..PUBLISHED
        });
        assert!(narrow.at(10.0) > narrow.at(12.0));
    }

    const SCIPY: [(f64, f64); 6] = [
        (1.0, 0.041_857_328_288_478_046),
        (2.0, 0.073_468_698_643_399_13),
        (5.0, 0.027_263_536_994_842_075),
        (9.0, 0.062_280_036_174_214_3),
        (12.0, 0.156_005_326_392_666_98),
        (18.0, 0.000_989_873_455_241_184),
    ];
}
