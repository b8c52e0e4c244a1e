//! The classes of WSDM 2010 §4.2.

/// The class of a piece of text; the number is that of L3S-GN1's annotation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 0: navigation, advertisements and everything that was not selected.
    #[default]
    Boilerplate,
    /// 1: headline of the article.
    Headline,
    /// 2: the article.
    FullText,
    /// 3: belongs to the article, such as captions and fact boxes.
    Supplemental,
    /// 4: links to other articles.
    Related,
    /// 5: comments of users.
    Comments,
}

impl Class {
    /// All classes, in the order of their numbers.
    pub const ALL: [Class; 6] = [
        Class::Boilerplate,
        Class::Headline,
        Class::FullText,
        Class::Supplemental,
        Class::Related,
        Class::Comments,
    ];

    /// Does it count as main content in the two-class problem? Comments do (§4.3.1), related content does not.
    pub fn is_content(self) -> bool {
        !matches!(self, Class::Boilerplate | Class::Related)
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Boilerplate => "boilerplate",
            Class::Headline => "headline",
            Class::FullText => "full text",
            Class::Supplemental => "supplemental",
            Class::Related => "related",
            Class::Comments => "comments",
        }
    }
}
