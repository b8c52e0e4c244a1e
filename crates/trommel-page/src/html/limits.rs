//! Bounds on what one page may cost.

/// Bounds on what one page may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of payload that are parsed; what follows is left out.
    pub bytes: usize,
    /// Depth of the tree. Browsers stop at 512 as well.
    pub depth: u16,
    /// Attributes of one tag; what follows is left out. Formatting elements are compared by all of theirs.
    pub attributes: usize,
    /// Nodes of the tree: the standard's re-opening of formatting elements can multiply them. With the default a page takes less
    /// than 400 MB while it is parsed and cut into blocks; pages of the web have some tens of thousands of nodes.
    pub nodes: usize,
    /// Steps of the parser's searches for open elements and of moves in the tree, of which an ordinary page takes one for a byte
    /// or fewer. The default is over in about half a second.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 32 << 20,
            depth: 512,
            attributes: 1024,
            nodes: 1 << 21,
            work: 1 << 28,
        }
    }
}

impl Limits {
    /// The same with another [`Limits::bytes`].
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// The same with another [`Limits::depth`].
    #[must_use]
    pub fn with_depth(mut self, depth: u16) -> Self {
        self.depth = depth;
        self
    }

    /// The same with another [`Limits::attributes`].
    #[must_use]
    pub fn with_attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

    /// The same with another [`Limits::nodes`].
    #[must_use]
    pub fn with_nodes(mut self, nodes: usize) -> Self {
        self.nodes = nodes;
        self
    }

    /// The same with another [`Limits::work`].
    #[must_use]
    pub fn with_work(mut self, work: u64) -> Self {
        self.work = work;
        self
    }
}
