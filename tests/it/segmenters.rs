//! What each segmenter makes of small pages: one case for each rule.

use trommel::html::{self, Limits, segment};
use trommel::page::{Block, Segmentation};

fn segment(segmenter: &str, html: &str) -> Segmentation {
    let page = html::parse_text(html, &Limits::default());
    (segment::by_name(segmenter).unwrap().segment)(&page)
}

#[track_caller]
fn check(segmenter: &str, html: &str, expected: &[&str], show: fn(&Block) -> String) {
    let blocks = segment(segmenter, html).blocks;
    let shown: Vec<String> = blocks.iter().map(show).collect();
    assert_eq!(shown, expected, "{html}");
}

/// `text [words linked words-in-full-lines/lines]`.
#[track_caller]
fn boilerpipe(html: &str, expected: &[&str]) {
    check("boilerpipe", html, expected, |b| {
        let (words, linked) = (b.num_words, b.num_linked_words);
        let (full, lines) = (b.num_words_in_full_lines, b.num_lines);
        format!("{} [{words} {linked} {full}/{lines}]", b.text)
    });
}

/// As [`boilerpipe`] for blocks of one line: `text [words linked]`.
#[track_caller]
fn short(html: &str, expected: &[&str]) {
    check("boilerpipe", html, expected, |b| {
        assert_eq!((b.num_words, 1), (b.num_words_in_full_lines, b.num_lines));
        format!("{} [{} {}]", b.text, b.num_words, b.num_linked_words)
    });
}

#[test]
fn boilerpipe_tags_without_effect() {
    short(
        "<body>a<strike>b</strike><u>c</u><b>d</b><i>e</i><em>f</em><strong>g</strong><span>h</span>i",
        &["abcdefghi [1 0]"],
    );
    short(
        "<body>a<sup>b</sup><sub>c</sub><code>d</code><tt>e</tt><var>f</var><font>g</font>h",
        &["abcdefgh [1 0]"],
    );
    short("<body>a<!-- b -->c", &["ac [1 0]"]);
}

#[test]
fn boilerpipe_tags_that_put_a_space() {
    short(
        "<body>a<abbr>b</abbr>c <acronym> d </acronym>e",
        &["a b c d e [5 0]"],
    );
}

#[test]
fn boilerpipe_tags_with_ignored_contents() {
    short(
        "<body>a<style>b</style>c<script>d</script>e<noscript>f</noscript>g",
        &["a [1 0]", "c [1 0]", "e [1 0]", "g [1 0]"],
    );
    short(
        "<body>a<object>b</object>c<applet>d</applet>e<embed>",
        &["a [1 0]", "c [1 0]", "e [1 0]"],
    );
    short(
        "<body>a<select><option>b<option>c</select>d<link rel=x>e",
        &["a [1 0]", "d [1 0]", "e [1 0]"],
    );
}

#[test]
fn boilerpipe_all_other_tags_end_blocks() {
    short(
        "<body>a<br>b<img src=x>c<input>d<small>e</small>f<big>g</big>h",
        &[
            "a [1 0]", "b [1 0]", "c [1 0]", "d [1 0]", "e [1 0]", "f [1 0]", "g [1 0]", "h [1 0]",
        ],
    );
    short(
        "<body>a<s>b</s>c<cite>d</cite>e<label>f</label>g<x-y>h</x-y>i",
        &[
            "a [1 0]", "b [1 0]", "c [1 0]", "d [1 0]", "e [1 0]", "f [1 0]", "g [1 0]", "h [1 0]",
            "i [1 0]",
        ],
    );
}

#[test]
fn boilerpipe_raw_text_is_text() {
    short(
        "<body>a<textarea><b>b</textarea>c<iframe>d</iframe>e<noframes>f</noframes>g<xmp><b>h</xmp>i",
        &[
            "a [1 0]",
            "<b>b [2 0]",
            "c [1 0]",
            "d [1 0]",
            "e [1 0]",
            "f [1 0]",
            "g [1 0]",
            "<b>h [2 0]",
            "i [1 0]",
        ],
    );
}

#[test]
fn boilerpipe_white_space() {
    short("<body><p> a  b <b> c </b> d </p>", &["a  b c d [4 0]"]);
    // The no-break space and the figure space are no white space for Java, the unit separator is.
    short(
        "<body>a&nbsp;b&#x1f;c&#x2007;d",
        &["a\u{a0}b c\u{2007}d [4 0]"],
    );
    // White space alone is no block; anything else is, with or without words.
    short(
        "<body><p> </p><p>a</p><p>&nbsp;</p><p>|</p><p></p>",
        &["a [1 0]", "\u{a0} [0 0]", "| [0 0]"],
    );
}

#[test]
fn boilerpipe_anchors_stand_between_spaces() {
    short("<body>foo <a>bar</a>.", &["foo bar . [2 1]"]);
    short("<body>a<a>b</a>c<a>d e</a>", &["a b c d e [5 3]"]);
}

#[test]
fn boilerpipe_anchors_reach_over_blocks() {
    short("<body><a>a<br>b</a>c", &["a [1 1]", "b c [2 1]"]);
    // An anchor without text is kept for the next block, which begins and ends it.
    short("<body><a name=x></a><p>b <a>c</a></p>", &["b c [2 1]"]);
    short("<body><p><a name=x></p><p>b</p>", &["b [1 0]"]);
    short("<body><a><script>a</script></a><p>b</p>", &["b [1 0]"]);
}

#[test]
fn boilerpipe_body() {
    short("<body>a</body>b</html>c", &["abc [1 0]"]);
    short(
        "<body>a<title>b</title>c",
        &["a [1 0]", "b [1 0]", "c [1 0]"],
    );
    short("<frameset><frame><noframes>a</noframes></frameset>", &[]);
}

#[test]
fn boilerpipe_title_is_the_last_that_is_not_empty() {
    let title = |html: &str| segment("boilerpipe", html).title;
    for html in [
        "<title>a</title><title> b </title><body>c",
        "<title> </title><title>b</title><title> </title><body>c",
    ] {
        assert_eq!(title(html).as_deref(), Some("b"), "{html}");
    }
    assert_eq!(title("<body>a<title>b</title>c"), None);
}

#[test]
fn boilerpipe_words() {
    // AT & T | 50 % | e-mail | U.S. | foo@bar.com | a = b | • | don ’ t: the signs alone are tokens but no words.
    let html = "<body>AT&amp;T 50% e-mail U.S. foo@bar.com a=b • don’t";
    short(
        html,
        &["AT&T 50% e-mail U.S. foo@bar.com a=b • don’t [10 0]"],
    );
    assert_eq!(segment("boilerpipe", html).blocks[0].num_tokens, 15);
}

#[test]
fn boilerpipe_wrapped_lines() {
    let words = |n: usize| vec!["aaaaaaaaa"; n].join(" ");
    let check = |text: String, counts: &str| {
        boilerpipe(&format!("<body>{text}"), &[&format!("{text} {counts}")]);
    };
    // Eight words of nine characters fill 79 of 80 columns.
    check(words(8), "[8 0 8/1]");
    check(words(9), "[9 0 8/1]");
    check(words(17), "[17 0 16/2]");
    // Tokens that are no words take no room.
    check(words(8) + &" |".repeat(40), "[8 0 8/1]");
}

/// From here on: what the original's parser makes of markup that the HTML standard mends in another way.
#[test]
fn boilerpipe_anchors_do_not_nest() {
    short("<body><a>a<a>b</a>c</a>d", &["a b cd [3 2]"]);
}

#[test]
fn boilerpipe_anchors_end_with_what_they_stand_in() {
    short("<body><p><a>a</p><p>b</a>c</p>", &["a [1 1]", "bc [1 0]"]);
    short("<body><span>a<a>b</span>c</a>d", &["a b cd [3 1]"]);
    short(
        "<body><div><a>a<li>b</div>c</a>d",
        &["a [1 1]", "b [1 1]", "cd [1 0]"],
    );
}

#[test]
fn boilerpipe_anchors_hold_the_blocks_that_begin_in_them() {
    short(
        "<body><a>a<p>b</a>c</p>d",
        &["a [1 1]", "b [1 1]", "c [1 0]", "d [1 0]"],
    );
    // The anchor's end tag ends the block as well, so that the block's own end tag has no effect.
    short(
        "<body><a>a<div>b</a>c</div>d",
        &["a [1 1]", "b [1 1]", "cd [1 0]"],
    );
    short(
        "<body><a>a<h1>b</a>c</h1>d",
        &["a [1 1]", "b [1 1]", "cd [1 0]"],
    );
    short(
        "<body><b>a<p>b</b>c</p>d",
        &["a [1 0]", "b [1 0]", "c [1 0]", "d [1 0]"],
    );
}

#[test]
fn boilerpipe_inline_elements_are_reopened() {
    short("<body><b><a>a</b>b</a>c", &["a b c [3 2]"]);
    short("<body><a><b>a</a>b</b>c", &["a bc [2 1]"]);
    // Elements such as li and label take the anchor inside, and end it.
    short(
        "<body><ul><li><a>a<li>b</a></ul>c",
        &["a [1 1]", "b [1 1]", "c [1 0]"],
    );
    short("<body><a><label>a</label>b</a>c", &["a [1 1]", "bc [1 0]"]);
    short(
        "<body><a>a<center>b</center>c</a>d",
        &["a [1 1]", "b [1 1]", "cd [1 0]"],
    );
}

#[test]
fn boilerpipe_anchors_end_at_tables() {
    short(
        "<body><a>a<table><tr><td>b</td></tr></table>c</a>d",
        &["a [1 1]", "b [1 0]", "cd [1 0]"],
    );
    // Only those that nothing but inline elements stand in; font is none.
    short(
        "<body><a>a<font><table><tr><td>b</td></tr></table>c</a>d",
        &["a [1 1]", "b [1 1]", "c d [2 1]"],
    );
}

#[test]
fn boilerpipe_table_cells_after_an_inner_table_run_on() {
    short(
        "<body><table><tr><td>a<table><tr><td>b</td></tr></table></td><td>c</td></tr><tr><td>d</td></tr></table>e",
        &["a [1 0]", "b [1 0]", "cde [1 0]"],
    );
    short(
        "<body><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>d<td>e</td>f",
        &["a [1 0]", "b [1 0]", "c [1 0]", "def [1 0]"],
    );
}

#[test]
fn boilerpipe_elements_end_their_own_kind_however_deep() {
    short(
        "<body><ul><li>a<ul><li>b</li></ul>c</li></ul>d",
        &["a [1 0]", "b [1 0]", "cd [1 0]"],
    );
    short(
        "<body><p>a<table><tr><td><p>b</td></tr></table>c",
        &["a [1 0]", "bc [1 0]"],
    );
}

#[test]
fn boilerpipe_dropped_tags() {
    short("<body>a</br>b", &["ab [1 0]"]);
    short("<body>a</p>b", &["a [1 0]", "b [1 0]"]);
    short("<body>a<option>b</option>c", &["abc [1 0]"]);
    short(
        "<body>a<form>b<form>c</form>d</form>e",
        &["a [1 0]", "bc [1 0]", "de [1 0]"],
    );
}
/// Where the original loses text that the tree has, the text is kept.
#[test]
fn boilerpipe_keeps_text() {
    // A param outside an object makes an object for the original, which leaves out all that follows.
    short("<body>a<param>b", &["a [1 0]", "b [1 0]"]);
    // An embed without an end tag goes on for the original.
    short("<body>a<embed>b", &["a [1 0]", "b [1 0]"]);
}

#[test]
fn boilerpipe_elements_that_only_end_each_other() {
    let html = format!("<body>{}", "<nobr>a ".repeat(20_000));
    let blocks = segment("boilerpipe", &html).blocks;
    assert_eq!(blocks.iter().map(|b| b.num_words).sum::<u32>(), 20_000);
    let html = format!("<body>{}a", "<nobr></p>".repeat(20_000));
    assert_eq!(segment("boilerpipe", &html).blocks.len(), 1);
}

/// `text [words/tokens linked-tokens tokens-in-full-lines/lines]`.
#[track_caller]
fn atomic(html: &str, expected: &[&str]) {
    check("atomic", html, expected, |b| {
        let (words, tokens, linked) = (b.num_words, b.num_tokens, b.num_linked_words);
        let (full, lines) = (b.num_words_in_full_lines, b.num_lines);
        format!("{} [{words}/{tokens} {linked} {full}/{lines}]", b.text)
    });
}

/// WSDM 2010 §4.1: "sequences of character data which are separated by one or more HTML tags, except for A tags".
#[test]
fn atomic_every_tag_but_a_splits() {
    atomic(
        "<body><p>a <b>b</b> c<br>d</p>e<img>f",
        &[
            "a [1/1 0 1/1]",
            "b [1/1 0 1/1]",
            "c [1/1 0 1/1]",
            "d [1/1 0 1/1]",
            "e [1/1 0 1/1]",
            "f [1/1 0 1/1]",
        ],
    );
    atomic("<body><p>a <a>b</a> c</p>", &["a b c [3/3 1 3/1]"]);
    // A comment is no tag; white space alone is no block.
    atomic("<body>a<!-- b -->c<p> </p>", &["ac [1/1 0 1/1]"]);
}

/// §3.3: words are "white-space delimited character sequences which at least contain one letter or digit", link density is
/// "tokens within an A tag divided by the total number of tokens".
#[test]
fn atomic_words_tokens_and_links() {
    atomic(
        "<body>AT&amp;T | 50 % &#8212; e-mail",
        &["AT&T | 50 % — e-mail [3/6 0 6/1]"],
    );
    atomic("<body><a>a | b</a> | c", &["a | b | c [3/5 3 5/1]"]);
    // An anchor that begins inside a word does not cut it: the token is where it begins.
    atomic("<body>x<a>y</a> <a>z</a>.", &["xy z. [2/2 1 2/1]"]);
    let blocks = segment("atomic", "<body><a>a | b</a> | c");
    assert_eq!(blocks.blocks[0].link_density(blocks.unit), 0.6);
}

/// §3.4: tokens by lines, wrapped at 80 characters, without the last line unless it is the only one.
#[test]
fn atomic_text_density() {
    let text = |n: usize| vec!["aaaaaaa-."; n].join(" ");
    atomic(
        &format!("<body>{}", text(8)),
        &[&format!("{} [8/8 0 8/1]", text(8))],
    );
    atomic(
        &format!("<body>{}", text(17)),
        &[&format!("{} [17/17 0 16/2]", text(17))],
    );
    // Tokens that are no words fill lines too: 40 bars of two columns each.
    let bars = vec!["|"; 41].join(" ");
    atomic(
        &format!("<body>{bars}"),
        &[&format!("{bars} [0/41 0 40/1]")],
    );
    let density = |html: &str| segment("atomic", html).blocks[0].text_density();
    assert_eq!(density(&format!("<body>{}", text(17))), 8.0);
    assert_eq!(density("<body>a b c"), 3.0);
}

/// Text nodes of the body, counted as atomic blocks are: `text [words/tokens linked full/lines]`.
#[test]
fn leaf_every_text_node() {
    check(
        "leaf",
        "<title>t</title><body><p>a <b>b</b> c<a>d - e</a></p> <script>f</script>&nbsp;<i>1 2</i>",
        &[
            "a p [1/1 0 1/1]",
            "b p [1/1 0 1/1]",
            "c p [1/1 0 1/1]",
            "d - e p [2/3 3 3/1]",
            "1 2 body [2/2 0 2/1]",
        ],
        |b| {
            let (words, tokens, linked) = (b.num_words, b.num_tokens, b.num_linked_words);
            let (full, lines) = (b.num_words_in_full_lines, b.num_lines);
            format!(
                "{} {} [{words}/{tokens} {linked} {full}/{lines}]",
                b.text, b.tag
            )
        },
    );
}

#[track_caller]
fn texts(segmenter: &str, html: &str, expected: &[&str]) {
    check(segmenter, html, expected, |b| b.text.clone());
}

/// Web2Text §3.2: DOM leaves. A text node ends at any tag, an anchor's too, and at a comment, which is a node of its own.
#[test]
fn leaf_ends_at_any_tag() {
    texts(
        "leaf",
        "<body>a<a>b</a>c<br>d<span>e</span>f",
        &["a", "b", "c", "d", "e", "f"],
    );
    texts("leaf", "<body>a<!-- b -->c", &["a", "c"]);
    texts("leaf", "<body><p> a\n b </p>", &["a b"]);
    // What the parser puts into one node is one: text after the body's end goes on with the body's last text.
    texts("leaf", "<body>a</body>b", &["ab"]);
    texts("leaf", "<body>a<br></body>b", &["a", "b"]);
}

/// §3.1 and the authors' `skipTags`.
#[test]
fn leaf_leaves_out() {
    texts(
        "leaf",
        "<title>t</title><body>a<select><option>b</select><textarea>c</textarea><noscript><p>d</p></noscript>\
         <iframe>e</iframe><video>f</video><style>g</style>h",
        &["a", "h"],
    );
    // Buttons and labels are not in the list.
    texts(
        "leaf",
        "<body><button>a</button><label>b</label>",
        &["a", "b"],
    );
    texts("leaf", "<body> <p> </p>&nbsp;<p>|</p>", &["|"]);
    texts("leaf", "<frameset><frame></frameset>", &[]);
    let blocks = segment("leaf", "<title>t</title><body>a<noscript>b</noscript>c");
    assert_eq!(blocks.block_of_leaf, [None, Some(0), None, Some(1)]);
}

/// `core.py`, `PARAGRAPH_TAGS`: a paragraph ends where one of them begins or ends.
#[test]
fn paragraph_tags() {
    texts(
        "paragraph",
        "<body>a<p>b</p>c<div>d</div>e<h1>f</h1>g<blockquote>h</blockquote>i<pre>j</pre>k<center>l</center>m",
        &[
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
        ],
    );
    texts(
        "paragraph",
        "<body><ul>a<li>b</li></ul>c<dl>d<dt>e<dd>f</dl>g<fieldset>h<legend>i</legend>j</fieldset>k",
        &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
    );
    texts(
        "paragraph",
        "<body><table><caption>a</caption><thead><tr><th>b</thead><tr><td>c<td>d</table>e",
        &["a", "b", "c", "d", "e"],
    );
    // Not in the list: running text, but also ol, hr and what HTML5 brought.
    texts(
        "paragraph",
        "<body>a<b>b</b><a>c</a><span>d</span><ol>e</ol>f<hr>g<section>h</section>i<article>j</article>k",
        &["abcdefghijk"],
    );
}

/// "br, br" parts paragraphs, if no text and no other tag stands between; a single one is a space.
#[test]
fn paragraph_line_breaks() {
    texts("paragraph", "<body>a<br>b<br>c", &["a b c"]);
    texts("paragraph", "<body>a<br><br>b", &["a", "b"]);
    texts("paragraph", "<body>a<br> <!-- x --> <br>b", &["a", "b"]);
    texts("paragraph", "<body>a<br><br><br>b", &["a", "b"]);
    texts("paragraph", "<body>a<br><b></b><br>b", &["a b"]);
    texts("paragraph", "<body>a<br>b<br><br>c", &["a b", "c"]);
}

/// The preprocessor kills some elements with their contents and drops the tags of others; the text around becomes one node.
#[test]
fn paragraph_removed_and_unwrapped() {
    texts(
        "paragraph",
        "<title>t</title><body>a<script>b</script>c<style>d</style>e<select><option>f</select>g<textarea>h</textarea>i",
        &["acegi"],
    );
    texts("paragraph", "<body>a<button>b<p>c</p></button>d", &["ad"]);
    texts(
        "paragraph",
        "<body>a<form>b<input>c</form>d<object>e</object>f",
        &["abcdef"],
    );
    // No paragraph tag is left of a form, but what stands in it parts as everywhere.
    texts(
        "paragraph",
        "<body>a<form><p>b</p></form>c",
        &["a", "b", "c"],
    );
}

/// A text node of white space alone (a no-break space is white space to Python) is no text; inside a text it is one space.
#[test]
fn paragraph_white_space() {
    texts("paragraph", "<body><b>a</b> <i>b</i>", &["ab"]);
    texts("paragraph", "<body><b>a</b> b", &["a b"]);
    texts("paragraph", "<body><p> a \n\t b </p><p> </p>", &["a b"]);
    texts("paragraph", "<body><p>&nbsp;</p>a&nbsp;&nbsp;b", &["a b"]);
}

/// `text tag [words/tokens linked]`.
#[test]
fn paragraph_counts() {
    check(
        "paragraph",
        "<body><h2>a <a>b c</a> -</h2><ul><li>d<a>e</a> <a>f</a></ul>",
        &["a b c - h2 [3/4 2]", "def li [1/1 0]"],
        |b| {
            let (words, tokens, linked) = (b.num_words, b.num_tokens, b.num_linked_words);
            format!("{} {} [{words}/{tokens} {linked}]", b.text, b.tag)
        },
    );
}
