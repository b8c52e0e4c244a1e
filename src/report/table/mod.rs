//! Tables: plain data, and a file for each format that they are written in.

mod csv;
mod html;
mod latex;
mod markdown;
mod text;

use std::collections::BTreeMap;

pub use text::wrap;

/// A table of cells that are text already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Where the cells of each column stand; columns without a word here stand to the right.
    pub align: Vec<Align>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// What is said of cells, by row and column.
    pub marks: BTreeMap<(usize, usize), Mark>,
    /// What it shows; above it, or its caption.
    pub caption: String,
    /// What has to be known to read it, a sentence each.
    pub notes: Vec<String>,
}

/// What is said of a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// The best of its column: bold, where a format has that.
    pub best: bool,
    /// How sure it is that the value is not the baseline's.
    pub sure: Sure,
}

/// How sure a difference is, as papers mark it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sure {
    /// It may be chance, or was not tested.
    #[default]
    No,
    /// p below .05: a dagger.
    Dagger,
    /// p below .01: a double dagger.
    Double,
}

impl Sure {
    /// How sure a p-value makes one.
    pub fn of(p: f64) -> Sure {
        match p {
            p if p < 0.01 => Sure::Double,
            p if p < 0.05 => Sure::Dagger,
            _ => Sure::No,
        }
    }

    /// The sign of text formats.
    pub fn sign(self) -> &'static str {
        match self {
            Sure::No => "",
            Sure::Dagger => "†",
            Sure::Double => "‡",
        }
    }

    /// What the signs mean; `test` and `family` say by which test and corrected for what.
    pub fn note(test: &str, family: &str) -> String {
        format!("† p < .05, ‡ p < .01: {test}, two-sided, with Holm's correction for {family}.")
    }
}

/// A format that tables are written in.
#[derive(Debug, Clone, Copy)]
pub struct TableFormat {
    /// Its name in flags.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Is one table of plain values wanted, without marks, rather than tables for people?
    pub is_data: bool,
    /// Writes a table.
    pub write: fn(&Table) -> String,
}

/// All formats but those for the terminal.
pub fn table_formats() -> &'static [TableFormat] {
    const FORMATS: &[TableFormat] = &[csv::FORMAT, latex::FORMAT, markdown::FORMAT];
    FORMATS
}

/// Tables in a format, one below the other.
pub fn write_tables(tables: &[Table], format: &TableFormat) -> String {
    let tables: Vec<String> = tables.iter().map(format.write).collect();
    tables.join("\n")
}

/// The side on which the cells of a column stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// Left: names.
    Left,
    /// Right: numbers.
    #[default]
    Right,
}

impl Table {
    /// A table of these columns, the first to the left, the others to the right.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Table {
        Table {
            header: header.into_iter().map(Into::into).collect(),
            align: vec![Align::Left],
            ..Table::default()
        }
    }

    /// Marks the highest value of each of these columns as the best, wherever it stands; values are compared as they are shown. Without
    /// at least two different values nothing is best.
    pub fn mark_best(&mut self, columns: impl IntoIterator<Item = usize>) {
        for column in columns {
            let value = |row: &Vec<String>| row.get(column)?.trim().parse::<f64>().ok();
            let values: Vec<Option<f64>> = self.rows.iter().map(value).collect();
            let known = || values.iter().flatten().copied();
            let Some(best) = known().max_by(f64::total_cmp) else {
                continue;
            };
            if known().all(|value| value == best) {
                continue;
            }
            for row in (0..values.len()).filter(|row| values[*row] == Some(best)) {
                self.marks.entry((row, column)).or_default().best = true;
            }
        }
    }

    /// What is said of a cell.
    fn mark(&self, row: usize, column: usize) -> Mark {
        self.marks.get(&(row, column)).copied().unwrap_or_default()
    }

    /// Adds a row.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    fn align(&self, column: usize) -> Align {
        self.align.get(column).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_forms() {
        let mut table = Table::new(["name", "F1"]);
        table.push(["a|b", "9.5"]);
        table.push(["longer", "10.5"]);
        assert_eq!(table.text(), "name      F1\na|b      9.5\nlonger  10.5\n");
        assert_eq!(
            table.markdown(),
            "| name | F1 |\n| --- | ---: |\n| a\\|b | 9.5 |\n| longer | 10.5 |\n"
        );
        table.rows.truncate(1);
        table.push(["a<b", ""]);
        assert_eq!(
            table.html().replace('\n', ""),
            "<table><thead><tr><th>name</th><th class=\"n\">F1</th></tr></thead><tbody>\
             <tr><td data-of=\"name\">a|b</td><td class=\"n\" data-of=\"F1\">9.5</td></tr>\
             <tr><td data-of=\"name\">a&lt;b</td><td class=\"n\" data-of=\"F1\"></td></tr></tbody></table>"
        );
    }

    fn scores() -> Table {
        let mut table = Table::new(["run", "AP", "nDCG@10"]);
        table.push(["bm25_a & b", "0.4567", "0.5"]);
        table.push(["50 % \"x\", y", "0.3456", "-0.6"]);
        table.mark_best([1, 2]);
        table.marks.entry((0, 1)).or_default().sure = Sure::of(0.049);
        table.marks.entry((1, 2)).or_default().sure = Sure::of(0.0099);
        table.caption = "Means".to_owned();
        table.notes.push(Sure::note("t test", "2 runs"));
        table
    }

    #[track_caller]
    fn check(format: &str, table: &Table, expected: &str) {
        let format = table_formats().iter().find(|it| it.name == format).unwrap();
        assert_eq!((format.write)(table), expected);
    }

    #[test]
    fn formats_for_papers() {
        check(
            "csv",
            &scores(),
            "run,AP,nDCG@10\nbm25_a & b,0.4567,0.5\n\"50 % \"\"x\"\", y\",0.3456,-0.6\n",
        );
        check(
            "markdown",
            &scores(),
            "Means\n\n| run | AP | nDCG@10 |\n| --- | ---: | ---: |\n| bm25_a & b | **0.4567**† | **0.5** |\n\
             | 50 % \"x\", y | 0.3456 | -0.6‡ |\n\n\
             † p < .05, ‡ p < .01: t test, two-sided, with Holm's correction for 2 runs.\n",
        );
        check(
            "latex",
            &scores(),
            "\\begin{table}\n\\centering\\small\n\\caption{Means}\n\\begin{tabular}{lrr}\n\\toprule\n\
             run & AP & nDCG@10 \\\\\n\\midrule\n\
             bm25\\_a \\& b & \\textbf{0.4567}\\rlap{$^{\\dagger}$} & \\textbf{0.5} \\\\\n\
             50 \\% \\textquotedbl{}x\\textquotedbl{}, y & 0.3456 & $-$0.6\\rlap{$^{\\ddagger}$} \\\\\n\
             \\bottomrule\n\\end{tabular}\n\n\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\n\
             $^{\\dagger}$ p $<$ .05, $^{\\ddagger}$ p $<$ .01: t test, two-sided, with Holm\\textquotesingle{}s correction for 2 runs.\n\
             \\end{minipage}\n\\end{table}\n",
        );
    }

    #[test]
    fn equal_values_are_not_best() {
        let mut table = Table::new(["run", "P@10"]);
        table.push(["a", "0.5"]);
        table.push(["b", "0.5"]);
        table.mark_best([1]);
        assert!(table.marks.is_empty());
    }

    #[test]
    fn tables_fit_a_width() {
        let mut table = Table::new(["run", "long name of a column", "p"]);
        table.push(["first of them", "0.5", "0.01"]);
        table.push(["b", "0.25", "1"]);
        let whole = table.text();
        assert_eq!(table.fitted(None), whole);
        assert_eq!(table.fitted(Some(80)), whole);
        for width in [20, 24, 30, 40] {
            let text = table.fitted(Some(width));
            let most = text.lines().map(|line| line.chars().count()).max();
            assert!(most <= Some(width), "{width}: {text}");
            // Nothing is lost, and no word is cut.
            for word in ["first", "them", "column", "0.01", "0.25", "name"] {
                assert!(text.contains(word), "{width}: {text}");
            }
        }
    }
}
