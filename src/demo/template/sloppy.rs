//! HTML by hand: no doctype and no declared charset, unclosed `<p>` and `<li>`, unquoted
//! attributes, misnested `<b><i>`, a `</body>` that never comes. Teasers run on in one line with
//! their headline.

use super::super::source::Article;
use super::super::view::{Main, Teaser, View};
use super::markup::{comment_count, each, joined};
use crate::text::escape_markup as esc;

/// The page.
pub fn render(view: &View<'_>) -> String {
    let blog = view.blog;
    let main = match &view.main {
        Main::Article(article) => self::article(view, article),
        Main::List(posts) => list(&view.title, posts),
    };
    format!(
        r##"<html>
<title>{title} - {blog_title}</title>
<body bgcolor=white>
<center><h1>{blog_title}</h1><b><i>{tagline}</b></i>
<p>{menu}</center>
<hr>
{main}
<hr>
<b>Lately on the bench</b>
<ul>
{recent}</ul>
<b>The ones people ask for
</b>
<ul>
{popular}</ul>
<p><b>Drawers:</b> {tags}
<p><b>Old sawdust:</b> {months}
<hr>
<b>Friends of the workshop</b>
<blockquote>
{neighbours}</blockquote>
<hr>
<p><i>{about}</i>
<p><font size=1>{footer}
"##,
        title = esc(&view.title),
        blog_title = esc(&blog.title),
        tagline = esc(&blog.tagline),
        menu = joined(&blog.menu, " ~ ", |entry| link("/", entry)),
        recent = each(&view.recent, headline),
        popular = each(&view.popular, headline),
        tags = joined(&view.tags, " / ", |t| link(&t.url, &t.name)),
        months = joined(&view.months, " - ", |m| link(&m.url, &m.name)),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<p>{}\n<ul>\n{}</ul>\n",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        about = esc(&blog.about),
        footer = esc(&blog.footer),
    )
}

/// Urls here hold nothing that would need quotes.
fn link(url: &str, text: &str) -> String {
    format!("<a href={}>{}</a>", esc(url), esc(text))
}

fn headline(post: &Teaser) -> String {
    format!("<li>{}\n", link(&post.url, &post.title))
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<h2>{title}</h2>
<i>{date}, in {tags}</i>
{paragraphs}<hr width=50%>
<b>{count}</b>
{comments}<hr width=50%>
<b>More of this sort</b>
<ul>
{related}</ul>
<p>{adjacent}
"#,
        title = esc(&article.title),
        date = article.date,
        tags = esc(&article.tags.join(", ")),
        paragraphs = each(&article.paragraphs, |p| format!("<p>{}\n", esc(p))),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!("<p><b>{}</b> says:<br>{}\n", esc(&c.by), esc(&c.text))
        }),
        related = each(&view.related, |p| {
            format!("<li>{} -- {}\n", link(&p.url, &p.title), esc(&p.excerpt))
        }),
        adjacent = joined(&view.adjacent, " | ", |p| link(&p.url, &p.title)),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    let rows = each(posts, |p| {
        format!("<dt>{}\n<dd>{}\n", link(&p.url, &p.title), esc(&p.excerpt))
    });
    format!("<h2>{}</h2>\n<dl>\n{rows}</dl>\n", esc(title))
}
