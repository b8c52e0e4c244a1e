//! LaTeX with the package booktabs.

use super::grid::{Align, Sure, Table, TableFormat};

pub(super) const FORMAT: TableFormat = TableFormat {
    name: "latex",
    summary: "a LaTeX table (needs \\usepackage{booktabs}), best values bold, daggers for significance",
    is_data: false,
    write,
};

fn write(table: &Table) -> String {
    let columns: String = (0..table.header.len())
        .map(|column| match table.align(column) {
            Align::Left => 'l',
            Align::Right => 'r',
        })
        .collect();
    let mut text = "\\begin{table}\n\\centering\\small\n".to_owned();
    if !table.caption.is_empty() {
        text += &format!("\\caption{{{}}}\n", escaped(&table.caption));
    }
    text += &format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    let header: Vec<String> = table
        .header
        .iter()
        .map(|cell| escaped(cell.trim()))
        .collect();
    text += &format!("{} \\\\\n\\midrule\n", header.join(" & "));
    for (number, row) in table.rows.iter().enumerate() {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let mark = table.mark(number, column);
            let cell = escaped(cell.trim());
            let cell = match mark.best {
                true => format!("\\textbf{{{cell}}}"),
                false => cell,
            };
            match (mark.sure, table.align(column)) {
                (Sure::No, _) => cell,
                // The sign takes no room, so that numbers stand below each other.
                (sure, Align::Right) => format!("{cell}\\rlap{{{}}}", sign(sure)),
                (sure, Align::Left) => format!("{cell}{}", sign(sure)),
            }
        });
        text += &format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "));
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    if !table.notes.is_empty() {
        let notes: Vec<String> = table.notes.iter().map(|note| escaped(note)).collect();
        text += &format!(
            "\n\\smallskip\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\n{}\n\\end{{minipage}}\n",
            notes.join("\n")
        );
    }
    text + "\\end{table}\n"
}

fn sign(sure: Sure) -> &'static str {
    match sure {
        Sure::No => "",
        Sure::Dagger => "$^{\\dagger}$",
        Sure::Double => "$^{\\ddagger}$",
    }
}

/// Text as LaTeX sets it. Of other characters than ASCII those are named that older engines do not know.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            // A sign before a number is a minus.
            '-' if chars
                .peek()
                .is_some_and(|next| next.is_ascii_digit() || *next == '.')
                && !escaped.ends_with(|before: char| before.is_ascii_alphanumeric()) =>
            {
                escaped += "$-$";
            }
            '<' => escaped += "$<$",
            '>' => escaped += "$>$",
            '|' => escaped += "$|$",
            '≤' => escaped += "$\\le$",
            '≥' => escaped += "$\\ge$",
            '×' => escaped += "$\\times$",
            'Δ' => escaped += "$\\Delta$",
            'α' => escaped += "$\\alpha$",
            '†' => escaped += "$^{\\dagger}$",
            '‡' => escaped += "$^{\\ddagger}$",
            '–' => escaped += "--",
            '…' => escaped += "\\dots{}",
            '"' => escaped += "\\textquotedbl{}",
            '\'' => escaped += "\\textquotesingle{}",
            c => escaped.push(c),
        }
    }
    escaped
}
