//! Names of elements as small numbers, and what the HTML standard says of each.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

use crate::page::Tag;

/// Number of a local name. Known names have the numbers of [`NAMES`], those that only the page knows come after them.
pub(crate) type Name = u32;

/// Name and namespace of an element: a [`Name`], with [`SVG`] or [`MATHML`] added outside HTML.
pub(crate) type Key = u32;

pub(crate) const SVG: Key = 1 << 30;
pub(crate) const MATHML: Key = 1 << 31;
const NAMESPACE: Key = SVG | MATHML;

pub(crate) fn is_html(key: Key) -> bool {
    key & NAMESPACE == 0
}

pub(crate) fn namespace(key: Key) -> Key {
    key & NAMESPACE
}

pub(crate) fn local(key: Key) -> Name {
    key & !NAMESPACE
}

macro_rules! names {
    ($($constant:ident $name:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant,)* }
        // Many names are known for their tags alone.
        $(#[allow(dead_code)] pub(crate) const $constant: Name = Number::$constant as Name;)*
        /// The known names by their numbers.
        const NAMES: &[&str] = &[$($name),*];
    };
}

names! {
    A "a" ABBR "abbr" ACRONYM "acronym" ADDRESS "address" ANNOTATION_XML "annotation-xml" APPLET "applet" AREA "area"
    ARTICLE "article" ASIDE "aside" AUDIO "audio" B "b" BASE "base" BASEFONT "basefont" BDO "bdo" BGSOUND "bgsound" BIG "big"
    BLOCKQUOTE "blockquote" BODY "body" BR "br" BUTTON "button" CANVAS "canvas" CAPTION "caption" CENTER "center" CITE "cite"
    CODE "code" COL "col" COLGROUP "colgroup" DATA "data" DATALIST "datalist" DD "dd" DEL "del" DESC "desc" DETAILS "details"
    DFN "dfn" DIALOG "dialog" DIR "dir" DIV "div" DL "dl" DT "dt" EM "em" EMBED "embed" FIELDSET "fieldset"
    FIGCAPTION "figcaption" FIGURE "figure" FONT "font" FOOTER "footer" FORM "form" FRAME "frame" FRAMESET "frameset" H1 "h1"
    H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" HEAD "head" HEADER "header" HGROUP "hgroup" HR "hr" HTML "html" I "i"
    IFRAME "iframe" IMAGE "image" IMG "img" INPUT "input" INS "ins" ISINDEX "isindex" KBD "kbd" KEYGEN "keygen" LABEL "label"
    LEGEND "legend" LI "li" LINK "link" LISTING "listing" MAIN "main" MALIGNMARK "malignmark" MAP "map" MARK "mark"
    MARQUEE "marquee" MATH "math" MENU "menu" META "meta" METER "meter" MGLYPH "mglyph" MI "mi" MN "mn" MO "mo" MS "ms"
    MTEXT "mtext" NAV "nav" NOBR "nobr" NOEMBED "noembed" NOFRAMES "noframes" NOSCRIPT "noscript" OBJECT "object" OL "ol"
    OPTGROUP "optgroup" OPTION "option" OUTPUT "output" P "p" PARAM "param" PATH "path" PICTURE "picture"
    PLAINTEXT "plaintext" PRE "pre" PROGRESS "progress" Q "q" RB "rb" RP "rp" RT "rt" RTC "rtc" RUBY "ruby" S "s" SAMP "samp"
    SCRIPT "script" SEARCH "search" SECTION "section" SELECT "select" SMALL "small" SOURCE "source" SPAN "span"
    STRIKE "strike" STRONG "strong" STYLE "style" SUB "sub" SUMMARY "summary" SUP "sup" SVG_ELEMENT "svg" TABLE "table"
    TBODY "tbody" TD "td" TEMPLATE "template" TEXTAREA "textarea" TFOOT "tfoot" TH "th" THEAD "thead" TIME "time"
    TITLE "title" TR "tr" TRACK "track" TT "tt" U "u" UL "ul" USE "use" VAR "var" VIDEO "video" WBR "wbr" XMP "xmp"
    LOWER_ALTGLYPH "altglyph" LOWER_ALTGLYPHDEF "altglyphdef" LOWER_ALTGLYPHITEM "altglyphitem"
    LOWER_ANIMATECOLOR "animatecolor" LOWER_ANIMATEMOTION "animatemotion" LOWER_ANIMATETRANSFORM "animatetransform"
    LOWER_CLIPPATH "clippath" LOWER_FEBLEND "feblend" LOWER_FECOLORMATRIX "fecolormatrix"
    LOWER_FECOMPONENTTRANSFER "fecomponenttransfer" LOWER_FECOMPOSITE "fecomposite"
    LOWER_FECONVOLVEMATRIX "feconvolvematrix" LOWER_FEDIFFUSELIGHTING "fediffuselighting"
    LOWER_FEDISPLACEMENTMAP "fedisplacementmap" LOWER_FEDISTANTLIGHT "fedistantlight" LOWER_FEDROPSHADOW "fedropshadow"
    LOWER_FEFLOOD "feflood" LOWER_FEFUNCA "fefunca" LOWER_FEFUNCB "fefuncb" LOWER_FEFUNCG "fefuncg" LOWER_FEFUNCR "fefuncr"
    LOWER_FEGAUSSIANBLUR "fegaussianblur" LOWER_FEIMAGE "feimage" LOWER_FEMERGE "femerge" LOWER_FEMERGENODE "femergenode"
    LOWER_FEMORPHOLOGY "femorphology" LOWER_FEOFFSET "feoffset" LOWER_FEPOINTLIGHT "fepointlight"
    LOWER_FESPECULARLIGHTING "fespecularlighting" LOWER_FESPOTLIGHT "fespotlight" LOWER_FETILE "fetile"
    LOWER_FETURBULENCE "feturbulence" LOWER_FOREIGNOBJECT "foreignobject" LOWER_GLYPHREF "glyphref"
    LOWER_LINEARGRADIENT "lineargradient" LOWER_RADIALGRADIENT "radialgradient" LOWER_TEXTPATH "textpath"
    ALT_GLYPH "altGlyph" ALT_GLYPH_DEF "altGlyphDef" ALT_GLYPH_ITEM "altGlyphItem" ANIMATE_COLOR "animateColor"
    ANIMATE_MOTION "animateMotion" ANIMATE_TRANSFORM "animateTransform" CLIP_PATH "clipPath" FE_BLEND "feBlend"
    FE_COLOR_MATRIX "feColorMatrix" FE_COMPONENT_TRANSFER "feComponentTransfer" FE_COMPOSITE "feComposite"
    FE_CONVOLVE_MATRIX "feConvolveMatrix" FE_DIFFUSE_LIGHTING "feDiffuseLighting"
    FE_DISPLACEMENT_MAP "feDisplacementMap" FE_DISTANT_LIGHT "feDistantLight" FE_DROP_SHADOW "feDropShadow"
    FE_FLOOD "feFlood" FE_FUNC_A "feFuncA" FE_FUNC_B "feFuncB" FE_FUNC_G "feFuncG" FE_FUNC_R "feFuncR"
    FE_GAUSSIAN_BLUR "feGaussianBlur" FE_IMAGE "feImage" FE_MERGE "feMerge" FE_MERGE_NODE "feMergeNode"
    FE_MORPHOLOGY "feMorphology" FE_OFFSET "feOffset" FE_POINT_LIGHT "fePointLight"
    FE_SPECULAR_LIGHTING "feSpecularLighting" FE_SPOT_LIGHT "feSpotLight" FE_TILE "feTile" FE_TURBULENCE "feTurbulence"
    FOREIGN_OBJECT "foreignObject" GLYPH_REF "glyphRef" LINEAR_GRADIENT "linearGradient"
    RADIAL_GRADIENT "radialGradient" TEXT_PATH "textPath"
}

/// How many names are known.
pub(crate) const KNOWN: usize = NAMES.len();

/// The names that SVG writes in mixed case follow those in lower case in the same order.
const TO_MIXED_CASE: Name = ALT_GLYPH - LOWER_ALTGLYPH;

/// The name as SVG has it: the tokenizer's is in lower case.
pub(crate) fn svg_name(name: Name) -> Name {
    match name {
        LOWER_ALTGLYPH..ALT_GLYPH => name + TO_MIXED_CASE,
        other => other,
    }
}

/// The name in lower case.
pub(crate) fn lower_case(name: Name) -> Name {
    match name {
        ALT_GLYPH..=TEXT_PATH => name - TO_MIXED_CASE,
        other => other,
    }
}

/// Sets of elements, each a bit.
pub(crate) type Set = u32;

/// The special category: HTML standard §13.2.4.2.
pub(crate) const SPECIAL: Set = 1;
/// Ends the search for an element in scope.
pub(crate) const SCOPE: Set = 1 << 1;
/// Besides [`SCOPE`], ends the search in list item scope.
pub(crate) const LIST_SCOPE: Set = 1 << 2;
/// Besides [`SCOPE`], ends the search in button scope.
pub(crate) const BUTTON_SCOPE: Set = 1 << 3;
/// Ends the search in table scope; where the stack is cleared back to a table context.
pub(crate) const TABLE_SCOPE: Set = 1 << 4;
/// Where the stack is cleared back to a table body context.
pub(crate) const TABLE_BODY_CONTEXT: Set = 1 << 5;
/// Where the stack is cleared back to a table row context.
pub(crate) const TABLE_ROW_CONTEXT: Set = 1 << 6;
/// Cells of tables.
pub(crate) const CELL: Set = 1 << 7;
/// End tags that may be implied.
pub(crate) const IMPLIED: Set = 1 << 8;
/// End tags that are implied besides where a template ends.
pub(crate) const IMPLIED_IN_TEMPLATE: Set = 1 << 9;
pub(crate) const HEADING: Set = 1 << 10;
/// The formatting category: elements that are re-opened.
pub(crate) const FORMATTING: Set = 1 << 11;
/// What is inserted into these may be foster-parented.
pub(crate) const FOSTERING: Set = 1 << 12;
/// MathML text integration points.
pub(crate) const MATHML_TEXT: Set = 1 << 13;
/// SVG's HTML integration points.
pub(crate) const SVG_HTML: Set = 1 << 14;
/// Elements of HTML.
pub(crate) const IN_HTML: Set = 1 << 15;
/// Void elements and those of raw text: they do not stay open, so they cannot make the stack grow.
pub(crate) const SHORT_LIVED: Set = 1 << 16;
/// Start tags that end SVG and MathML.
pub(crate) const BREAKOUT: Set = 1 << 17;

const fn html_sets(name: Name) -> Set {
    let mut set = IN_HTML;
    if matches!(
        name,
        ADDRESS
            | APPLET
            | AREA
            | ARTICLE
            | ASIDE
            | BASE
            | BASEFONT
            | BGSOUND
            | BLOCKQUOTE
            | BODY
            | BR
            | BUTTON
            | CAPTION
            | CENTER
            | COL
            | COLGROUP
            | DD
            | DETAILS
            | DIR
            | DIV
            | DL
            | DT
            | EMBED
            | FIELDSET
            | FIGCAPTION
            | FIGURE
            | FOOTER
            | FORM
            | FRAME
            | FRAMESET
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | HEAD
            | HEADER
            | HGROUP
            | HR
            | HTML
            | IFRAME
            | IMG
            | INPUT
            | ISINDEX
            | LI
            | LINK
            | LISTING
            | MAIN
            | MARQUEE
            | MENU
            | META
            | NAV
            | NOEMBED
            | NOFRAMES
            | NOSCRIPT
            | OBJECT
            | OL
            | P
            | PARAM
            | PLAINTEXT
            | PRE
            | SCRIPT
            | SECTION
            | SELECT
            | SOURCE
            | STYLE
            | SUMMARY
            | TABLE
            | TBODY
            | TD
            | TEMPLATE
            | TEXTAREA
            | TFOOT
            | TH
            | THEAD
            | TITLE
            | TR
            | TRACK
            | UL
            | WBR
            | XMP
    ) {
        set |= SPECIAL;
    }
    if matches!(
        name,
        APPLET | CAPTION | HTML | TABLE | TD | TH | MARQUEE | OBJECT | SELECT | TEMPLATE
    ) {
        set |= SCOPE;
    }
    if matches!(name, OL | UL) {
        set |= LIST_SCOPE;
    }
    if matches!(name, BUTTON) {
        set |= BUTTON_SCOPE;
    }
    if matches!(name, HTML | TABLE | TEMPLATE) {
        set |= TABLE_SCOPE;
    }
    if matches!(name, TBODY | TFOOT | THEAD | TEMPLATE | HTML) {
        set |= TABLE_BODY_CONTEXT;
    }
    if matches!(name, TR | TEMPLATE | HTML) {
        set |= TABLE_ROW_CONTEXT;
    }
    if matches!(name, TD | TH) {
        set |= CELL;
    }
    if matches!(
        name,
        DD | DT | LI | OPTION | OPTGROUP | P | RB | RP | RT | RTC
    ) {
        set |= IMPLIED;
    }
    if matches!(
        name,
        CAPTION | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR
    ) {
        set |= IMPLIED_IN_TEMPLATE;
    }
    if matches!(name, H1 | H2 | H3 | H4 | H5 | H6) {
        set |= HEADING;
    }
    if matches!(
        name,
        A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U
    ) {
        set |= FORMATTING;
    }
    if matches!(name, TABLE | TBODY | TFOOT | THEAD | TR) {
        set |= FOSTERING;
    }
    if matches!(
        name,
        TITLE
            | TEXTAREA
            | SCRIPT
            | STYLE
            | XMP
            | IFRAME
            | NOEMBED
            | NOFRAMES
            | AREA
            | BASE
            | BR
            | COL
            | EMBED
            | HR
            | IMG
            | IMAGE
            | INPUT
            | KEYGEN
            | LINK
            | META
            | PARAM
            | SOURCE
            | TRACK
            | WBR
            | PLAINTEXT
    ) {
        set |= SHORT_LIVED;
    }
    if matches!(
        name,
        B | BIG
            | BLOCKQUOTE
            | BODY
            | BR
            | CENTER
            | CODE
            | DD
            | DIV
            | DL
            | DT
            | EM
            | EMBED
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | HEAD
            | HR
            | I
            | IMG
            | LI
            | LISTING
            | MENU
            | META
            | NOBR
            | OL
            | P
            | PRE
            | RUBY
            | S
            | SMALL
            | SPAN
            | STRONG
            | STRIKE
            | SUB
            | SUP
            | TABLE
            | TT
            | U
            | UL
            | VAR
    ) {
        set |= BREAKOUT;
    }
    set
}

static HTML_SETS: [Set; KNOWN] = {
    let mut sets = [0; KNOWN];
    let mut name = 0;
    while name < KNOWN {
        sets[name] = html_sets(name as Name);
        name += 1;
    }
    sets
};

/// The sets that an element is in.
pub(crate) fn sets(key: Key) -> Set {
    if is_html(key) {
        return HTML_SETS.get(key as usize).copied().unwrap_or(IN_HTML);
    }
    match (namespace(key), local(key)) {
        (MATHML, MI | MO | MN | MS | MTEXT) => MATHML_TEXT | SCOPE,
        (SVG, FOREIGN_OBJECT | DESC | TITLE) => SVG_HTML | SCOPE,
        _ => 0,
    }
}

/// Places of the hash table of known names: a power of two, some times as many as names.
const PLACES: usize = 1024;
const EMPTY: u16 = u16::MAX;

/// The first eight bytes of a name as a number.
const fn head(name: &[u8]) -> u64 {
    let mut head = 0;
    let mut at = 0;
    while at < name.len() && at < 8 {
        head |= (name[at] as u64) << (8 * at);
        at += 1;
    }
    head
}

/// Where the search for a name begins: the upper bits of a product (Knuth's multiplicative hashing).
const fn place(head: u64, length: usize) -> usize {
    let mixed = (head ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - PLACES.trailing_zeros())) as usize
}

static TABLE_OF_NAMES: [u16; PLACES] = {
    let mut table = [EMPTY; PLACES];
    let mut name = 0;
    while name < KNOWN {
        let bytes = NAMES[name].as_bytes();
        let mut at = place(head(bytes), bytes.len());
        while table[at] != EMPTY {
            at = (at + 1) % PLACES;
        }
        table[at] = name as u16;
        name += 1;
    }
    table
};

/// The number of a known name in lower case; `head` is its [`head`].
fn known(head: u64, name: &[u8]) -> Option<Name> {
    let mut at = place(head, name.len());
    loop {
        let found = TABLE_OF_NAMES[at];
        if found == EMPTY {
            return None;
        }
        if NAMES[found as usize].as_bytes() == name {
            return Some(Name::from(found));
        }
        at = (at + 1) % PLACES;
    }
}

/// A known name.
pub(crate) fn text(name: Name) -> &'static str {
    NAMES.get(name as usize).copied().unwrap_or_default()
}

/// The tags of the known names.
static TAGS: LazyLock<Vec<Tag>> =
    LazyLock::new(|| NAMES.iter().map(|name| Tag::from_name(name)).collect());

/// The names of one page. Those that are not known are kept as places in the markup: a page may have millions.
#[derive(Default)]
pub(crate) struct Names {
    /// By hash.
    numbers: HashMap<u64, Name>,
    others: Vec<Range<u32>>,
}

impl Names {
    /// The number of a tag's name, which stands at `range` of the markup.
    #[inline]
    pub fn number(&mut self, markup: &[u8], range: Range<usize>) -> Name {
        let raw = &markup[range.clone()];
        let mut lower = [0; 24];
        if let Some(short) = lower.get_mut(..raw.len()) {
            for (to, from) in short.iter_mut().zip(raw) {
                *to = from.to_ascii_lowercase();
            }
            if let Some(name) = known(head(short), short) {
                return name;
            }
        }
        self.other(markup, range)
    }

    #[cold]
    fn other(&mut self, markup: &[u8], range: Range<usize>) -> Name {
        let raw = &markup[range.clone()];
        let mut hasher = DefaultHasher::new();
        for part in raw.chunks(64) {
            let mut lower = [0; 64];
            let lower = &mut lower[..part.len()];
            lower.copy_from_slice(part);
            lower.make_ascii_lowercase();
            hasher.write(lower);
        }
        let hash = hasher.finish();
        if let Some(&number) = self.numbers.get(&hash)
            && self.raw(markup, number).eq_ignore_ascii_case(raw)
        {
            return number;
        }
        let number = (KNOWN + self.others.len()) as Name;
        self.others.push(range.start as u32..range.end as u32);
        self.numbers.insert(hash, number);
        number
    }

    /// A name that is not known, as it stands in the markup where it was met first.
    fn raw<'a>(&self, markup: &'a [u8], name: Name) -> &'a [u8] {
        let other = (name as usize).checked_sub(KNOWN);
        let range = other.and_then(|other| self.others.get(other));
        let raw = range.and_then(|range| markup.get(range.start as usize..range.end as usize));
        raw.unwrap_or_default()
    }

    /// The tag of a name.
    pub fn tag(&self, markup: &[u8], name: Name) -> Tag {
        match TAGS.get(name as usize) {
            Some(tag) => tag.clone(),
            None => Tag::from_name(&text_of(self.raw(markup, name))),
        }
    }
}

/// A name as the tokenizer makes it of the markup: in lower case, U+FFFD for NUL.
fn text_of(raw: &[u8]) -> String {
    String::from_utf8_lossy(raw)
        .to_ascii_lowercase()
        .replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        let mut names = Names::default();
        let mut number = |name: &str| names.number(name.as_bytes(), 0..name.len());
        for (expected, name) in (0..).zip(NAMES) {
            if name.bytes().any(|b| b.is_ascii_uppercase()) {
                let lower = lower_case(expected);
                assert_eq!(NAMES[lower as usize], name.to_ascii_lowercase());
                assert_eq!(svg_name(lower), expected);
                continue;
            }
            assert_eq!(number(name), expected, "{name}");
            assert_eq!(number(&name.to_ascii_uppercase()), expected, "{name}");
            assert_eq!(TAGS[expected as usize], Tag::from_name(name));
        }
    }

    #[test]
    fn names_of_a_page() {
        let mut names = Names::default();
        let markup = b"X-y x-Y x\0";
        let first = names.number(markup, 0..3);
        assert_eq!(first as usize, KNOWN);
        assert_eq!(names.number(markup, 4..7), first);
        let second = names.number(markup, 8..10);
        assert_ne!(second, first);
        assert_eq!(names.tag(markup, first), Tag::Other("x-y".into()));
        assert_eq!(names.tag(markup, second), Tag::Other("x\u{fffd}".into()));
    }
}
