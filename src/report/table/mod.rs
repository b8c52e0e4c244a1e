//! Tables: plain data, and a file for each format that they are written in.

mod csv;
mod grid;
mod html;
mod latex;
mod markdown;
mod text;

pub use grid::{Align, Mark, Sure, Table, TableFormat};
pub use text::wrap;

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
