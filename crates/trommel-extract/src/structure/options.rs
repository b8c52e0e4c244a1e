//! What of a page's structure is kept.

/// What of a page's structure is kept beside text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StructureOptions {
    /// Keep links with their addresses; else only their text.
    pub links: bool,
    /// Keep images that stand among what is kept, with their addresses and what stands for them in a text.
    pub images: bool,
}

impl StructureOptions {
    /// Sets [`StructureOptions::links`].
    #[must_use]
    pub fn with_links(mut self, links: bool) -> Self {
        self.links = links;
        self
    }

    /// Sets [`StructureOptions::images`].
    #[must_use]
    pub fn with_images(mut self, images: bool) -> Self {
        self.images = images;
        self
    }
}
