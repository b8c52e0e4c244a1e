//! Text that markup hides from readers.

use trommel_page::html::Source;
use trommel_page::{ElementId, Page};

/// For each leaf of a page whether its markup hides it: an element around it has the attribute `hidden`, or `aria-hidden=true`, or a `style` with
/// `display:none` or `visibility:hidden`. What style sheets and scripts hide is not known; nor is what they show.
pub fn hidden_leaves(page: &Page, source: &Source) -> Vec<bool> {
    let mut hidden = vec![false; page.elements.len()];
    for id in 0..page.elements.len() {
        let around = page.elements[id]
            .parent
            .is_some_and(|parent| hidden[parent as usize]);
        hidden[id] = around || is_hidden(source, id as ElementId);
    }
    let leaves = page.leaves.iter();
    leaves.map(|leaf| hidden[leaf.parent as usize]).collect()
}

fn is_hidden(source: &Source, id: ElementId) -> bool {
    source.attributes(id).any(|(name, value)| match name.len() {
        6 if name.eq_ignore_ascii_case("hidden") => !value.eq_ignore_ascii_case("until-found"),
        11 if name.eq_ignore_ascii_case("aria-hidden") => value.trim().eq_ignore_ascii_case("true"),
        5 if name.eq_ignore_ascii_case("style") => {
            let style: String = value.chars().filter(|c| !c.is_whitespace()).collect();
            let style = style.to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_page::html::{Charset, Limits, parse_with_source};

    #[test]
    fn what_markup_hides() {
        let markup = b"<p>a<p hidden>b<div style='color:red; Display : None'><p>c</div><p aria-hidden=true>d<p aria-hidden=false>e\
            <p style='visibility:hidden'>f<p hidden=until-found>g<p title=hidden>h";
        let (page, source) = parse_with_source(markup, Charset::Auto, None, &Limits::default());
        let hidden = hidden_leaves(&page, &source);
        let shown = (0..page.leaves.len()).filter(|leaf| !hidden[*leaf]);
        let shown: String = shown.map(|leaf| page.leaf_text(leaf as u32)).collect();
        assert_eq!(shown, "aegh");
    }
}
