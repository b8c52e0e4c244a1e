//! XHTML whose sidebar stands on the left, before the article, with lists in it and the archive
//! as a drop-down.

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
        r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">
<head>
<title>{blog_title} » {title}</title>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
</head>
<body>
<div id="sidebar">
<h1>{blog_link}</h1>
<p class="motto">{tagline}</p>
<ul class="menu">{menu}</ul>
<form action="/search" method="get"><p><input type="text" name="q" /> <input type="submit" value="Dig" /></p></form>
<h4>Latest entries</h4>
<ul>{recent}</ul>
<h4>Favourites</h4>
<ul>{popular}</ul>
<h4>Subjects</h4>
<p class="tags">{tags}</p>
<h4>Past months</h4>
<form action="/archive" method="get"><p><select name="month">{months}</select></p></form>
<h4>Over the fence</h4>
<ul>{neighbours}</ul>
<h4>This plot</h4>
<p>{about}</p>
</div>
<div id="content">
{main}
</div>
<div id="footer"><p>{footer}</p></div>
</body>
</html>
"##,
        blog_title = esc(&blog.title),
        title = esc(&view.title),
        blog_link = link("/", &blog.title),
        tagline = esc(&blog.tagline),
        menu = each(&blog.menu, |entry| format!("<li>{}</li>", link("/", entry))),
        recent = each(&view.recent, headline),
        popular = each(&view.popular, headline),
        tags = joined(&view.tags, " ", |t| link(&t.url, &t.name)),
        months = each(&view.months, |m| {
            format!(
                "<option value=\"{}\">{} ({})</option>",
                esc(&m.url),
                esc(&m.name),
                m.count
            )
        }),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<li>{}\n<ul>{}</ul></li>\n",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        about = esc(&blog.about),
        footer = esc(&blog.footer),
    )
}

fn headline(post: &Teaser) -> String {
    format!("<li>{}</li>\n", link(&post.url, &post.title))
}

fn teaser(post: &Teaser) -> String {
    format!(
        "<li>{}<br />\n<small>{}</small></li>\n",
        link(&post.url, &post.title),
        esc(&post.excerpt)
    )
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<h2>{title}</h2>
<p class="date">{date}</p>
<div class="entry">
{paragraphs}</div>
<p class="filed">Filed under {tags}</p>
<h3>From the same bed</h3>
<ul>
{related}</ul>
<ul class="pager">{adjacent}</ul>
<h3>{count}</h3>
<ol class="comments">
{comments}</ol>"#,
        title = esc(&article.title),
        date = article.date,
        paragraphs = each(&article.paragraphs, |p| format!("<p>{}</p>\n", esc(p))),
        tags = esc(&article.tags.join(", ")),
        related = each(&view.related, teaser),
        adjacent = each(&view.adjacent, headline),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!(
                "<li><cite>{}</cite><p>{}</p></li>\n",
                esc(&c.by),
                esc(&c.text)
            )
        }),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    format!(
        "<h2>{}</h2>\n<ul class=\"entries\">\n{}</ul>",
        esc(title),
        each(posts, teaser)
    )
}
