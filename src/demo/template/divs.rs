//! Nothing but nested `<div>`s and `<span>`s with class names, as blog software wrote it about
//! 2006. The tag cloud is one run of links.

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
        r##"<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta http-equiv="content-type" content="text/html; charset=UTF-8" />
<title>{title} | {blog_title}</title>
<style type="text/css">.cloud {{ line-height: 2em }} .s1 {{ font-size: 80% }} .s2 {{ font-size: 120% }}</style>
</head>
<body>
<div id="wrap"><div id="outer"><div id="inner">
<div id="head"><div class="name"><span>{blog_title}</span></div><div class="tag"><span>{tagline}</span></div></div>
<div id="nav"><div class="bar">{menu}</div></div>
<div id="col1"><div class="pad">
{main}
</div></div>
<div id="col2"><div class="pad">
<div class="box"><div class="boxhead">Who we are</div><div class="boxbody">{about}</div></div>
<div class="box"><div class="boxhead">Fresh from the road</div><div class="boxbody">{recent}</div></div>
<div class="box"><div class="boxhead">Often read</div><div class="boxbody">{popular}</div></div>
<div class="box"><div class="boxhead">Tags</div><div class="cloud">{tags}</div></div>
<div class="box"><div class="boxhead">By month</div><div class="boxbody">{months}</div></div>
<div class="box"><div class="boxhead">Blogs we follow</div><div class="boxbody">{neighbours}</div></div>
</div></div>
<div id="foot"><div class="pad"><span>{footer}</span></div></div>
</div></div></div>
</body>
</html>
"##,
        blog_title = esc(&blog.title),
        title = esc(&view.title),
        tagline = esc(&blog.tagline),
        menu = joined(&blog.menu, " ", |entry| format!(
            "<span>{}</span>",
            link("/", entry)
        )),
        about = esc(&blog.about),
        recent = each(&view.recent, headline),
        popular = each(&view.popular, headline),
        tags = joined(&view.tags, " ", |t| {
            let size = if t.count > 1 { "s2" } else { "s1" };
            format!("<span class=\"{size}\">{}</span>", link(&t.url, &t.name))
        }),
        months = each(&view.months, |m| {
            format!(
                "<div class=\"row\">{} [{}]</div>\n",
                link(&m.url, &m.name),
                m.count
            )
        }),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<div class=\"blog\">{}</div>\n{}",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        footer = esc(&blog.footer),
    )
}

fn headline(post: &Teaser) -> String {
    format!(
        "<div class=\"row\">{}</div>\n",
        link(&post.url, &post.title)
    )
}

fn teaser(post: &Teaser) -> String {
    format!(
        "<div class=\"teaser\"><div class=\"t\">{}</div><div class=\"x\">{}</div></div>\n",
        link(&post.url, &post.title),
        esc(&post.excerpt)
    )
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<div class="post">
<div class="posttitle"><span>{title}</span></div>
<div class="meta">{date} <span class="sep">/</span> {tags}</div>
<div class="postbody">
{paragraphs}</div>
<div class="pager">{adjacent}</div>
<div class="related"><div class="boxhead">If you liked this</div>
{related}</div>
<div class="comments"><div class="boxhead">{count}</div>
{comments}</div>
</div>"#,
        title = esc(&article.title),
        date = article.date,
        tags = joined(&article.tags, ", ", |t| esc(t)),
        paragraphs = each(&article.paragraphs, |p| format!(
            "<div class=\"para\">{}</div>\n",
            esc(p)
        )),
        adjacent = each(&view.adjacent, headline),
        related = each(&view.related, teaser),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!(
                "<div class=\"comment\"><div class=\"by\">{}:</div><div class=\"said\">{}</div></div>\n",
                esc(&c.by),
                esc(&c.text)
            )
        }),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    format!(
        "<div class=\"posttitle\"><span>{}</span></div>\n<div class=\"list\">\n{}</div>",
        esc(title),
        each(posts, |p| format!(
            "{}<div class=\"more\"><a href=\"{}\">Read on</a></div>\n",
            teaser(p),
            esc(&p.url)
        ))
    )
}
