//! HTML5 with `nav`, `main`, `article`, `aside` and `footer`, well formed.

use super::super::source::Article;
use super::super::view::{Counted, Main, Teaser, View};
use super::markup::{comment_count, each, link};
use crate::text::escape_markup as esc;

/// The page.
pub fn render(view: &View<'_>) -> String {
    let blog = view.blog;
    let main = match &view.main {
        Main::Article(article) => self::article(view, article),
        Main::List(posts) => list(&view.title, posts),
    };
    format!(
        r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} – {blog_title}</title>
<link rel="canonical" href="{url}">
</head>
<body>
<header>
<p class="site">{blog_title}</p>
<p class="tagline">{tagline}</p>
<nav><ul>{menu}</ul></nav>
</header>
<main>
{main}
</main>
<aside>
<section><h2>About</h2><p>{about}</p></section>
<section><h2>Recent nights</h2><ul>{recent}</ul></section>
<section><h2>Popular</h2><ol>{popular}</ol></section>
<section><h2>Topics</h2><ul class="tags">{tags}</ul></section>
<section><h2>Archive</h2><ul>{months}</ul></section>
<section><h2>Elsewhere</h2>{neighbours}</section>
</aside>
<footer><p>{footer}</p></footer>
</body>
</html>
"##,
        blog_title = esc(&blog.title),
        title = esc(&view.title),
        url = esc(&view.url),
        tagline = esc(&blog.tagline),
        menu = each(&blog.menu, |entry| format!("<li>{}</li>", link("/", entry))),
        about = esc(&blog.about),
        recent = each(&view.recent, headline),
        popular = each(&view.popular, headline),
        tags = each(&view.tags, counted),
        months = each(&view.months, counted),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<h3>{}</h3>\n<ul>{}</ul>\n",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        footer = esc(&blog.footer),
    )
}

fn headline(post: &Teaser) -> String {
    format!("<li>{}</li>\n", link(&post.url, &post.title))
}

fn counted(entry: &Counted) -> String {
    format!(
        "<li>{} <small>{}</small></li>\n",
        link(&entry.url, &entry.name),
        entry.count
    )
}

fn teaser(post: &Teaser) -> String {
    format!(
        "<li><h3>{}</h3><time datetime=\"{date}\">{date}</time><p>{}</p></li>\n",
        link(&post.url, &post.title),
        esc(&post.excerpt),
        date = post.date,
    )
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<article>
<header><h1>{title}</h1><time datetime="{date}">{date}</time></header>
{paragraphs}<footer><ul class="tags">{tags}</ul></footer>
</article>
<section class="comments"><h2>{count}</h2>
{comments}</section>
<nav class="pager"><ul>{adjacent}</ul></nav>
<aside class="related"><h2>Related observations</h2><ul>
{related}</ul></aside>"#,
        title = esc(&article.title),
        date = article.date,
        paragraphs = each(&article.paragraphs, |p| format!("<p>{}</p>\n", esc(p))),
        tags = each(&article.tags, |t| format!("<li>{}</li>", esc(t))),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!(
                "<article class=\"comment\"><h3>{}</h3><p>{}</p></article>\n",
                esc(&c.by),
                esc(&c.text)
            )
        }),
        adjacent = each(&view.adjacent, headline),
        related = each(&view.related, teaser),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    format!(
        "<h1>{}</h1>\n<ul class=\"posts\">\n{}</ul>",
        esc(title),
        each(posts, teaser)
    )
}
