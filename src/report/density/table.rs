//! The tables of the analysis.

use super::section::{Section, percent};
use crate::experiment::density::typicality::{LAST_OF_THIN, TYPICAL};
use crate::experiment::density::{
    Amount, Analysis, DENSEST, Fit, FitOf, Histogram, LAMBDA, LONGEST, PUBLISHED_LONG, PowerLaw,
};
use crate::report::{Align, Table};

/// Everything as text, in the papers' order.
pub(super) fn sections(analysis: &Analysis) -> Vec<Section> {
    let mut sections = vec![
        totals(analysis),
        words(analysis),
        density(analysis),
        long(analysis),
    ];
    sections.extend(one_rule(analysis));
    sections.extend(rest_of_fits(analysis));
    sections.push(typicality(analysis));
    sections.push(full_stops(analysis));
    sections.push(templates(analysis));
    sections
}

/// All bins of both histograms.
pub(super) fn histograms(analysis: &Analysis) -> Vec<(String, Table)> {
    let table = |of: &str, histogram: &Histogram| {
        let mut header = vec![of.to_owned()];
        header.extend(["blocks", "words", "tokens"].map(str::to_owned));
        for (name, _) in &histogram.classes {
            header.push(format!("{name}: blocks"));
            header.push(format!("{name}: words"));
        }
        let mut table = Table::new(header);
        table.align = vec![Align::Right];
        let last = histogram.bins.len().saturating_sub(1);
        for (number, bin) in histogram.bins.iter().enumerate() {
            let value = match number == last {
                true => format!("> {}", last - 1),
                false => number.to_string(),
            };
            let mut row = vec![value];
            row.extend([bin.blocks, bin.words, bin.tokens].map(|it| it.to_string()));
            for (_, bins) in &histogram.classes {
                let bin = bins.get(number).copied().unwrap_or_default();
                row.push(bin.blocks.to_string());
                row.push(bin.words.to_string());
            }
            table.push(row);
        }
        table
    };
    vec![
        (
            "By number of words".to_owned(),
            table("words", &analysis.by_words),
        ),
        (
            "By rounded text density".to_owned(),
            table("density", &analysis.by_density),
        ),
    ]
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

fn totals(analysis: &Analysis) -> Section {
    let all = analysis.total;
    let header = ["class", "blocks", "%", "words", "%", "tokens", "%"];
    let mut table = Table::new(header);
    let mut row = |name: &str, of: &Amount| {
        table.push([
            name.to_owned(),
            of.blocks.to_string(),
            percent(share(of.blocks, all.blocks)),
            of.words.to_string(),
            percent(share(of.words, all.words)),
            of.tokens.to_string(),
            percent(share(of.tokens, all.tokens)),
        ]);
    };
    for (name, of) in &analysis.classes {
        row(name, of);
    }
    let labelled = |part: fn(&Amount) -> u64| -> u64 {
        let classes = analysis.classes.iter();
        part(&all) - classes.map(|(_, of)| part(of)).sum::<u64>()
    };
    let rest = Amount {
        blocks: labelled(|it| it.blocks),
        words: labelled(|it| it.words),
        tokens: labelled(|it| it.tokens),
    };
    if !analysis.classes.is_empty() && rest.blocks > 0 {
        row("no label", &rest);
    }
    row("all", &all);
    Section {
        id: "blocks",
        heading: "Blocks".to_owned(),
        note: String::new(),
        tables: vec![(
            match analysis.pages {
                1 => "1 page".to_owned(),
                pages => format!("{pages} pages"),
            },
            table,
        )],
    }
}

fn words(analysis: &Analysis) -> Section {
    let bounds = [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        21,
        31,
        41,
        61,
        81,
        LONGEST + 1,
    ];
    let mut section = Section {
        id: "words",
        heading: "Number of words".to_owned(),
        note: format!(
            "WSDM 2010 §5.2: the author writes a word, or ends the block, with a probability of its own for short and for long \
             text. Fitted by least squares to the shares of blocks with 1 to {LONGEST} words among all blocks with words."
        ),
        tables: fit_tables(analysis, FitOf::BlocksByWords),
    };
    section.tables.push((
        "Blocks by number of words".to_owned(),
        grouped("words", &analysis.by_words, &bounds, |bin| bin.blocks),
    ));
    section
}

fn density(analysis: &Analysis) -> Section {
    let shares = analysis.by_density.shares(|bin| bin.words);
    let beyond = shares.last().copied().unwrap_or(0.0);
    let last = (0..=DENSEST).rev().find(|&it| shares[it] > 0.0);
    let bounds: Vec<usize> = (0..=last.unwrap_or(0) + 1).collect();
    let mut section = Section {
        id: "density",
        heading: "Text density".to_owned(),
        note: format!(
            "Words to a line of 80 characters, rounded. WWW 2009 §2: two classes of text and a transition between them, which \
             follows the normal distribution. Fitted to the shares of words in blocks of density 0 to {DENSEST}; {} % stand in \
             denser blocks.",
            percent(beyond)
        ),
        tables: fit_tables(analysis, FitOf::WordsByDensity),
    };
    section.tables.push((
        "Words by text density of their block".to_owned(),
        grouped("density", &analysis.by_density, &bounds, |bin| bin.words),
    ));
    section
}

/// A histogram in percent with bins put together: each from a bound to before the next, the last open.
fn grouped(of: &str, histogram: &Histogram, bounds: &[usize], part: fn(&Amount) -> u64) -> Table {
    let mut header = vec![of.to_owned(), "%".to_owned()];
    header.extend(histogram.classes.iter().map(|(name, _)| (*name).to_owned()));
    let mut table = Table::new(header);
    let first = bounds.first().copied().unwrap_or(0);
    let counted = histogram.bins.get(first..).unwrap_or_default();
    let all: u64 = counted.iter().map(part).sum();
    for (number, &from) in bounds.iter().enumerate() {
        let to = bounds.get(number + 1).map_or(usize::MAX, |next| next - 1);
        let name = match to {
            usize::MAX => format!("{from} and more"),
            to if to == from => from.to_string(),
            to => format!("{from} to {to}"),
        };
        let sum = |bins: &[Amount]| -> u64 {
            let end = bins.len().min(to.saturating_add(1));
            bins.get(from..end)
                .unwrap_or_default()
                .iter()
                .map(part)
                .sum()
        };
        let mut row = vec![name, percent(share(sum(&histogram.bins), all))];
        for (_, bins) in &histogram.classes {
            row.push(percent(share(sum(bins), all)));
        }
        if sum(&histogram.bins) > 0 || to != usize::MAX {
            table.push(row);
        }
    }
    table
}

/// How well the curves go, and their parameters.
fn fit_tables(analysis: &Analysis, of: FitOf) -> Vec<(String, Table)> {
    let fits: Vec<&Fit> = analysis.fits.iter().filter(|fit| fit.of == of).collect();
    if fits.is_empty() {
        return Vec::new();
    }
    let mut goodness = Table::new(["curve", "points", "R²", "adjusted R²", "RMSE"]);
    let mut parameters = Table::new(["curve", "parameter", "", "fitted", "paper"]);
    parameters.align = vec![Align::Left; 3];
    for fit in fits {
        let good = fit.goodness;
        goodness.push([
            fit.name.to_owned(),
            good.points.to_string(),
            format!("{:.4}", good.r2),
            format!("{:.4}", good.adjusted_r2),
            format!("{:.4}", good.rmse),
        ]);
        for paper in &fit.published {
            let r2 = format!("{:.4}", paper.r2);
            let none = "–".to_owned();
            let [plain, adjusted] = match paper.is_adjusted {
                true => [none.clone(), r2],
                false => [r2, none.clone()],
            };
            goodness.push([
                format!("published: {}, {}", fit.source, paper.of),
                none,
                plain,
                adjusted,
                format!("{:.4}", paper.rmse),
            ]);
        }
        for parameter in &fit.parameters {
            parameters.push([
                fit.name.to_owned(),
                parameter.symbol.to_owned(),
                parameter.meaning.to_owned(),
                significant(parameter.value),
                parameter.published.map_or_else(String::new, significant),
            ]);
        }
    }
    vec![
        ("How well the curves go".to_owned(), goodness),
        (
            "Their parameters, beside those that the papers give for their collections".to_owned(),
            parameters,
        ),
    ]
}

/// Four digits that count.
fn significant(value: f64) -> String {
    let digits = match value.abs() {
        size if size > 0.0 && size.is_finite() => size.log10().floor(),
        _ => 0.0,
    };
    let decimals = (3.0 - digits).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

fn long(analysis: &Analysis) -> Section {
    let mut table = Table::new(["words in blocks", "words", "% of all", "paper, GoogleNews"]);
    let all = analysis.total.words;
    let (found, paper) = (analysis.long, PUBLISHED_LONG);
    let mut row = |name: String, words: u64, published: String| {
        table.push([
            name,
            words.to_string(),
            percent(share(words, all)),
            published,
        ]);
    };
    row(
        format!("of {LAMBDA} words or more"),
        found.long,
        paper.long.to_string(),
    );
    row(
        format!("of density {LAMBDA} or more"),
        found.dense,
        paper.dense.to_string(),
    );
    row("that are both".to_owned(), found.both, String::new());
    row(
        "the longest block".to_owned(),
        found.longest,
        paper.longest.to_string(),
    );
    Section {
        id: "long",
        heading: format!("{LAMBDA} words against density {LAMBDA}"),
        note: format!(
            "WSDM 2010 §5.1: dense blocks are long blocks. In dense blocks there are {:+.1} % words of those in long blocks \
             (paper: {:+.1} %).",
            100.0 * found.difference(),
            100.0 * paper.difference(),
        ),
        tables: vec![(String::new(), table)],
    }
}

fn one_rule(analysis: &Analysis) -> Option<Section> {
    let rule = analysis.one_rule.as_ref()?;
    let mut table = Table::new(["rule", "splits of the density", "right (% of words)"]);
    table.align = vec![Align::Left; 2];
    let splits: Vec<String> = rule
        .splits
        .iter()
        .map(|split| format!("{split:.1}"))
        .collect();
    table.push([
        "1R".to_owned(),
        match splits.is_empty() {
            true => "none".to_owned(),
            false => splits.join(", "),
        },
        percent(rule.accuracy),
    ]);
    table.push([
        "best single split".to_owned(),
        format!("{:.1}", rule.best_split),
        percent(rule.best_accuracy),
    ]);
    // Its recall there is the mean of both classes by words: the share that is right.
    table.push(["WSDM 2010, Table 2", "10.5", "87.9"]);
    let classes = rule.content.iter().map(|content| match content {
        true => "content",
        false => "boilerplate",
    });
    Some(Section {
        id: "one-rule",
        heading: "1R on text density".to_owned(),
        note: format!(
            "WSDM 2010 §4.3.1. From thin to dense the rule says: {}. Blocks count their words; the figures are of the blocks that \
             the rule was made of.",
            classes.collect::<Vec<_>>().join(", ")
        ),
        tables: vec![(String::new(), table)],
    })
}

fn typicality(analysis: &Analysis) -> Section {
    let found = &analysis.typicality;
    let mut table = Table::new([
        "rank",
        "thin text",
        "ε",
        "pages",
        "dense text",
        "ε",
        "pages",
    ]);
    table.align = vec![
        Align::Right,
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Left,
    ];
    for rank in 0..found.thin.len().max(found.dense.len()) {
        let mut row = vec![(rank + 1).to_string()];
        for terms in [&found.thin, &found.dense] {
            row.extend(match terms.get(rank) {
                None => ["", "", ""].map(str::to_owned),
                Some(term) => [
                    term.term.clone(),
                    format!("{:+.2}", term.typicality),
                    format!("{}|{}", term.thin_pages, term.dense_pages),
                ],
            });
        }
        table.push(row);
    }
    let of_all = |part: usize| percent(share(part as u64, found.terms as u64));
    Section {
        id: "terms",
        heading: "Typical terms".to_owned(),
        note: format!(
            "WWW 2009 §3: ε from −1 to 1 by the numbers of pages with the word in blocks of density up to {LAST_OF_THIN} and in \
             denser ones (thin|dense). Of {} words on {} pages or more, {} % have an ε of −{TYPICAL} or less (paper: 20.0 % of \
             2938) and {} % of +{TYPICAL} or more (paper: 42.7 %). {}",
            found.terms,
            found.min_pages,
            of_all(found.typical_of_thin),
            of_all(found.typical_of_dense),
            found
                .power_law
                .map_or_else(String::new, |law| power_law(&law)),
        ),
        tables: match found.terms {
            0 => Vec::new(),
            _ => vec![(String::new(), table)],
        },
    }
}

/// Three beta distributions, and what the curves of single classes are like.
fn rest_of_fits(analysis: &Analysis) -> Option<Section> {
    let mut table = Table::new(["class", "curve", "R²", "RMSE"]);
    table.align = vec![Align::Left, Align::Left, Align::Right, Align::Right];
    let three = analysis.three_betas.iter().map(|fit| ("all", fit));
    let classes = analysis.class_fits.iter();
    let classes = classes.flat_map(|(name, fits)| fits.iter().map(move |fit| (*name, fit)));
    for (class, fit) in three.chain(classes) {
        table.push([
            class.to_owned(),
            fit.name.to_owned(),
            format!("{:.4}", fit.goodness.r2),
            format!("{:.4}", fit.goodness.rmse),
        ]);
    }
    // The chances of the curves over words; all parameters are in the JSON.
    let symbols = ["P_T(N)", "P_N(S)", "P_S(N)", "P_L(N)"];
    let mut chances = Table::new(["class"].into_iter().chain(symbols));
    for (class, fits) in &analysis.class_fits {
        let found = |symbol: &str| {
            let mut all = fits.iter().flat_map(|fit| &fit.parameters);
            let parameter = all.find(|it| it.symbol == symbol);
            parameter.map_or(String::new(), |it| format!("{:.4}", it.value))
        };
        let row = symbols.map(found).into_iter();
        chances.push(std::iter::once((*class).to_owned()).chain(row));
    }
    (!table.rows.is_empty()).then(|| Section {
        id: "more-fits",
        heading: "Three beta distributions, and curves by class".to_owned(),
        note: "WWW 2009 §2: three beta distributions fit \"far less\" well than two and a normal one (paper: R² = 0.944, RMSE = 0.0031)."
            .to_owned(),
        tables: vec![(String::new(), table), (String::new(), chances)],
    })
}

fn power_law(law: &PowerLaw) -> String {
    format!(
        "Ratios by the greatest, ranked: y = c (x/(1−x))^−a with a = {:.2}, c = {:.3}, R² = {:.3}, RMSE = {:.4} (paper: 0.39, 0.01, \
         0.947, 0.0034).",
        law.a, law.c, law.goodness.r2, law.goodness.rmse
    )
}

fn full_stops(analysis: &Analysis) -> Section {
    let found = &analysis.full_stops;
    let mut table = Table::new(["full stop by density", "found", "paper"]);
    table.push([
        "information gain (bits), by tokens".to_owned(),
        format!("{:.3}", found.information_gain),
        "0.711".to_owned(),
    ]);
    table.push([
        "information gain (bits), by blocks".to_owned(),
        format!("{:.3}", found.information_gain_of_blocks),
        String::new(),
    ]);
    table.push([
        format!("right (% of tokens): from density {} on", found.threshold),
        percent(found.accuracy),
        "91.4".to_owned(),
    ]);
    Section {
        id: "full-stops",
        heading: "Full stops".to_owned(),
        note: "WWW 2009 §4: what density says of whether a block has a full stop. The paper's figures are of Webspam UK-2007, by a \
               linear classifier that it does not name."
            .to_owned(),
        tables: vec![(String::new(), table)],
    }
}

fn templates(analysis: &Analysis) -> Section {
    let found = &analysis.templates;
    let mut table = Table::new(["tokens (%)", "found", "paper"]);
    let rows = [
        ("in frequent templates", found.share, "28.0"),
        (
            "of those in blocks of density up to 5, in frequent templates",
            found.share_of_few_worded,
            "63.0",
        ),
        (
            "of all, in other blocks of density up to 5",
            found.few_worded_others,
            "23.0",
        ),
        (
            "of all, in frequent templates of density 9 and more",
            found.full_text,
            "20.0",
        ),
    ];
    for (name, value, paper) in rows {
        table.push([name.to_owned(), percent(value), paper.to_owned()]);
    }
    Section {
        id: "templates",
        heading: "Frequent templates".to_owned(),
        note: format!(
            "WWW 2009 §4: texts of blocks that occur {} times or more. There are {} (paper: 38634 on 356437 pages).",
            found.min_repeats, found.segments
        ),
        tables: vec![(String::new(), table)],
    }
}
