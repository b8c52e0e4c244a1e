//! Nested tables, `<FONT>` and `<BR>`, tags in capitals: a page of about 1999 that was never
//! rewritten.

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
        r##"<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML>
<HEAD>
<META http-equiv="Content-Type" content="text/html; charset=utf-8">
<TITLE>{blog_title}: {title}</TITLE>
</HEAD>
<BODY bgcolor="#FFFBE8" text="#332211" link="#993300">
<TABLE width="100%" border="0" cellpadding="4">
<TR><TD colspan="3"><FONT size="6" face="Georgia">{blog_title}</FONT><BR><FONT size="2">{tagline}</FONT></TD></TR>
<TR><TD colspan="3" bgcolor="#EEDDBB">{menu}</TD></TR>
<TR>
<TD width="170" valign="top"><FONT size="2">
<B>Just out of the oven</B><BR>
{recent}<BR>
<B>Archive</B><BR>
{months}<BR>
<B>Shelves</B><BR>
{tags}
</FONT></TD>
<TD valign="top">
{main}
</TD>
<TD width="190" valign="top"><FONT size="2">
<B>About</B><BR>{about}<BR><BR>
<B>Most read</B><BR>
{popular}<BR>
<B>Next door</B><BR>
{neighbours}
</FONT></TD>
</TR>
<TR><TD colspan="3" align="center"><IMG src="/spacer.gif" width="1" height="8" alt=""><BR><FONT size="1">{footer}</FONT></TD></TR>
</TABLE>
</BODY>
</HTML>
"##,
        blog_title = esc(&blog.title),
        title = esc(&view.title),
        tagline = esc(&blog.tagline),
        menu = joined(&blog.menu, "&nbsp;|&nbsp;", |entry| link("/", entry)),
        recent = each(&view.recent, headline),
        months = each(&view.months, |m| format!(
            "{} ({})<BR>\n",
            link(&m.url, &m.name),
            m.count
        )),
        tags = joined(&view.tags, ", ", |t| link(&t.url, &t.name)),
        about = esc(&blog.about),
        popular = each(&view.popular, headline),
        neighbours = each(&view.neighbours, |n| {
            format!(
                "<I>{}</I><BR>\n{}",
                link(&n.url, &n.title),
                each(&n.posts, headline)
            )
        }),
        footer = esc(&blog.footer),
    )
}

fn headline(post: &Teaser) -> String {
    format!("&#183; {}<BR>\n", link(&post.url, &post.title))
}

fn article(view: &View<'_>, article: &Article) -> String {
    format!(
        r#"<FONT size="5"><B>{title}</B></FONT><BR>
<FONT size="1">{date}, filed under {tags}</FONT><BR><BR>
<FONT size="3">
{paragraphs}
</FONT><BR><BR>
<HR>
<FONT size="2"><B>{count}</B><BR><BR>
{comments}</FONT>
<HR>
<FONT size="2">{adjacent}</FONT>
<TABLE border="1" cellspacing="0"><TR><TD colspan="{width}"><B>You may also like</B></TD></TR>
<TR>{related}</TR></TABLE>"#,
        title = esc(&article.title),
        date = article.date,
        tags = esc(&article.tags.join(", ")),
        paragraphs = joined(&article.paragraphs, "<BR><BR>\n", |p| esc(p)),
        count = comment_count(article.comments.len()),
        comments = each(&article.comments, |c| {
            format!("<B>{}</B> wrote:<BR>{}<BR><BR>\n", esc(&c.by), esc(&c.text))
        }),
        adjacent = joined(&view.adjacent, " :: ", |p| link(&p.url, &p.title)),
        width = view.related.len(),
        related = each(&view.related, |p| {
            format!(
                "<TD valign=\"top\"><FONT size=\"2\">{}<BR>{}</FONT></TD>\n",
                link(&p.url, &p.title),
                esc(&p.excerpt)
            )
        }),
    )
}

fn list(title: &str, posts: &[Teaser]) -> String {
    let rows = each(posts, |p| {
        format!(
            "<FONT size=\"4\">{}</FONT><BR>\n<FONT size=\"1\">{}</FONT><BR>\n<FONT size=\"2\">{}</FONT><BR><BR>\n",
            link(&p.url, &p.title),
            p.date,
            esc(&p.excerpt)
        )
    });
    format!(
        "<FONT size=\"5\"><B>{}</B></FONT><BR><BR>\n{rows}",
        esc(title)
    )
}
