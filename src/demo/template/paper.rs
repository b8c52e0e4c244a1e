//! A newspaper's front: definition lists, a form, scripts and `noscript`, comments in the markup,
//! the sidebar on the right.

use super::super::source::Article;
use super::super::view::{Main, Teaser, View};
use super::markup::{comment_count, each, joined, link};
use crate::text::escape_markup as esc;

/// The page.
pub fn render(view: &View<'_>) -> String {
    let blog = view.blog;
    let main = match &view.main {
        Main::Article(article) => self::article(view, article),
        Main::List(posts) => list(&view.title, posts),
    };
    format!(
        r##"<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>{title} | {blog_title}</title>
<script type="text/javascript">var page = "{docid}"; if (top != self) top.location = self.location;</script>
</head>
<body>
<!-- masthead -->
<div id="masthead"><h1><a href="/">{blog_title}</a></h1><h4>{tagline}</h4></div>
<ul id="menu">{menu}</ul>
<noscript><p>The weather and the river gauge need a script to show.</p></noscript>
<!-- story -->
<div id="story">
{main}
</div>
<!-- right hand column -->
<div id="right">
<h3>In the last days</h3>
<dl>{recent}</dl>
<h3>Much discussed</h3>
<ol>{popular}</ol>
<form action="/post" method="post">
<fieldset><legend>The Friday letter</legend>
<label>Your address <input name="address"></label>
<button type="submit">Send it to me</button></fieldset>
</form>
<h3>From other pages</h3>
{neighbours}
<h3>By subject</h3>
<p>{tags}</p>
<h3>Back issues</h3>
<table>{months}</table>
<p class="about">{about}</p>
</div>
<!-- foot -->
<div id="foot"><p>{footer}</p></div>
</body>
</html>
"##,
        title = esc(&view.title),
        blog_title = esc(&blog.title),
        docid = esc(&view.docid),
        tagline = esc(&blog.tagline),
        menu = each(&blog.menu, |entry| format!("<li>{}</li>", link("/", entry))),
        recent = each(&view.recent, entry),
        popular = each(&view.popular, headline),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<h5>{}</h5>\n<ul>{}</ul>\n",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        tags = joined(&view.tags, ", ", |t| link(&t.url, &t.name)),
        months = each(&view.months, |m| {
            format!(
                "<tr><td>{}</td><td>{}</td></tr>\n",
                link(&m.url, &m.name),
                m.count
            )
        }),
        about = esc(&blog.about),
        footer = esc(&blog.footer),
    )
}

fn headline(post: &Teaser) -> String {
    format!("<li>{}</li>\n", link(&post.url, &post.title))
}

fn entry(post: &Teaser) -> String {
    format!(
        "<dt>{}</dt>\n<dd>{}</dd>\n",
        link(&post.url, &post.title),
        esc(&post.excerpt)
    )
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<h2>{title}</h2>
<address>{date}</address>
{paragraphs}<p class="subjects">{tags}</p>
<h3>See also</h3>
<dl>
{related}</dl>
<h3>{count}</h3>
<blockquote>
{comments}</blockquote>
<table class="pager"><tr>{adjacent}</tr></table>"#,
        title = esc(&article.title),
        date = article.date,
        paragraphs = each(&article.paragraphs, |p| format!("<p>{}</p>\n", esc(p))),
        tags = esc(&article.tags.join(", ")),
        related = each(&view.related, entry),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!("<h6>{}</h6>\n<p>{}</p>\n", esc(&c.by), esc(&c.text))
        }),
        adjacent = each(&view.adjacent, |p| format!(
            "<td>{}</td>",
            link(&p.url, &p.title)
        )),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    format!("<h2>{}</h2>\n<dl>\n{}</dl>", esc(title), each(posts, entry))
}
