//! Names of elements.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! tags {
    ($($variant:ident $name:literal)*) => {
        /// The name of an element, whatever its namespace.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
        pub enum Tag {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            /// A name that is not among the known ones, in lower case.
            Other(Box<str>),
            /// No element: text outside any structural element.
            #[default]
            None,
        }

        impl Tag {
            /// The tag of a name in lower case.
            pub fn from_name(name: &str) -> Tag {
                match name {
                    $($name => Tag::$variant,)*
                    "" => Tag::None,
                    other => Tag::Other(other.into()),
                }
            }

            /// The name in lower case; empty for [`Tag::None`].
            pub fn name(&self) -> &str {
                match self {
                    $(Tag::$variant => $name,)*
                    Tag::Other(name) => name,
                    Tag::None => "",
                }
            }
        }
    };
}

tags! {
    A "a" Abbr "abbr" Acronym "acronym" Address "address" Applet "applet" Area "area" Article "article" Aside "aside"
    Audio "audio" B "b" Base "base" Big "big" Blockquote "blockquote" Body "body" Br "br" Button "button"
    Canvas "canvas" Caption "caption" Center "center" Cite "cite" Code "code" Col "col" Colgroup "colgroup" Dd "dd"
    Del "del" Details "details" Dfn "dfn" Dialog "dialog" Dir "dir" Div "div" Dl "dl" Dt "dt" Em "em" Embed "embed"
    Fieldset "fieldset" Figcaption "figcaption" Figure "figure" Font "font" Footer "footer" Form "form" Frame "frame"
    Frameset "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" Head "head" Header "header" Hr "hr"
    Html "html" I "i" Iframe "iframe" Img "img" Input "input" Ins "ins" Kbd "kbd" Label "label" Legend "legend" Li "li"
    Link "link" Main "main" Map "map" Mark "mark" Math "math" Menu "menu" Meta "meta" Nav "nav" Noframes "noframes"
    Noscript "noscript" Object "object" Ol "ol" Optgroup "optgroup" Option "option" P "p" Param "param"
    Picture "picture" Pre "pre" Q "q" S "s" Samp "samp" Script "script" Section "section" Select "select"
    Small "small" Source "source" Span "span" Strike "strike" Strong "strong" Style "style" Sub "sub"
    Summary "summary" Sup "sup" Svg "svg" Table "table" Tbody "tbody" Td "td" Template "template" Textarea "textarea"
    Tfoot "tfoot" Th "th" Thead "thead" Time "time" Title "title" Tr "tr" Tt "tt" U "u" Ul "ul" Var "var"
    Video "video" Xmp "xmp"
}

impl Tag {
    /// Returns whether the element structures the page, so that it describes the blocks inside it. The structural tags of WSDM 2010
    /// §3.2 (headlines, paragraphs, divisions) and their kin: lists, table cells, quotations, sections.
    pub fn is_structural(&self) -> bool {
        use Tag::*;
        matches!(
            self,
            H1 | H2
                | H3
                | H4
                | H5
                | H6
                | P
                | Div
                | Li
                | Dt
                | Dd
                | Td
                | Th
                | Caption
                | Pre
                | Blockquote
                | Address
                | Article
                | Section
                | Aside
                | Nav
                | Header
                | Footer
                | Main
                | Figure
                | Figcaption
                | Form
                | Fieldset
                | Legend
                | Details
                | Summary
                | Center
                | Ul
                | Ol
                | Dl
                | Table
                | Body
        )
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Tag::from_name(&String::deserialize(deserializer)?))
    }
}
