//! The verdict on a block.

/// The verdict on a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// Main content.
    Content,
    /// Navigation, teasers, advertisements, legal notices.
    Boilerplate,
}

impl Label {
    /// [`Label::Content`] for true.
    pub fn content_if(condition: bool) -> Label {
        if condition {
            Label::Content
        } else {
            Label::Boilerplate
        }
    }
}
