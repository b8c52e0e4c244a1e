// Texts made to break a page that shows them. They are kept as code points where an editor would hide them.
const ESC = '\u001b';
const NUL = '\u0000';
const BEL = '\u0007';

/** What a page that takes text for markup or code would run: each sets `__ran`. */
export const TEXTS = [
  '<script>__ran=1</script>',
  '"><img src=x onerror=__ran=2>',
  "' onmouseover='__ran=3' autofocus onfocus='__ran=3",
  '</title><script>__ran=4</script>',
  '</script><script>__ran=5</script>',
  '<svg/onload=__ran=6>',
  '<iframe srcdoc="<script>parent.__ran=7</script>"></iframe>',
  '{{7*7}} ${7*7} #{7*7} <%= 7*7 %> {{constructor.constructor("__ran=8")()}}',
  '&lt;b&gt; &amp;amp; &#60;i&#62; &quot;',
  `${ESC}[31mred${ESC}[0m ${ESC}]0;title${BEL}`,
  `nul${NUL}nul bell${BEL} back\u0008 del\u007f c1\u009b31m`,
  '\u202egnp.exe\u202c \u2066isolated\u2069 \u200fmark',
  'zero\u200bwidth\u200djoin\ufeffbom\u00adsoft',
  '\u2028line\u2029paragraph',
  `long${'w'.repeat(3000)}`,
  `${'ab'.repeat(40)}/${'cd'.repeat(400)}`,
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349algo '.repeat(8),
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f1e9}\u{1f1ea}',
  '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
];

/** Docids; those without an obvious danger break routing or percent-encoding. */
export const DOCIDS = [
  '<script>__ran=20</script>',
  '"><img src=x onerror=__ran=21>',
  'javascript:__ran=22',
  '</title>',
  '{{7*7}}',
  '../../etc/passwd',
  '%2e%2e%2fetc',
  '%00',
  '%zz',
  '.',
  '..',
  '/',
  '//evil.example/x',
  'a/b/c',
  'a?docid=other&q=1',
  'a#fragment',
  'a&b=c;d',
  'a+b c',
  ' spaces ',
  `it's "quoted"`,
  'back\\slash',
  `tab\tline\nbell${BEL}`,
  `esc${ESC}[31m`,
  `nul${NUL}nul`,
  '\u202egnp',
  'zero\u200bwidth',
  '\u00fcml\u00e4ut-\u{1f600}',
  `long-${'x'.repeat(2000)}`,
  'http://example.org/?a=1&b=2#c',
  'constructor',
  '__proto__',
];

/** Addresses of pages. A page must not make links of those that are no web addresses. */
export const URLS = [
  'javascript:__ran=40',
  'JaVaScRiPt:__ran=41//http://example.org/',
  ' javascript:__ran=42',
  'java\tscript:__ran=43',
  'data:text/html,<script>parent.__ran=44</script>',
  'vbscript:__ran=45',
  'http://example.org/"onmouseover="__ran=46',
  `http://example.org/${'p'.repeat(2000)}`,
  '//evil.example/',
  'http://user:secret@evil.example/',
  'http://[bad',
  '',
];

/** A word that is on all pages. */
export const WORD = 'marmalade';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A page for each docid: all texts as blocks, one of them as title, one of the addresses. */
export function lines() {
  const pages = DOCIDS.map((docid, n) => {
    const title = `${TEXTS[n % TEXTS.length]} ${WORD}`;
    const blocks = TEXTS.map((text) => `<p>${escaped(text)} ${WORD} jam and <b>more ${WORD}</b></p>`);
    const menu = `<ul><li><a href="x">${escaped(TEXTS[n % TEXTS.length])}</a></li></ul>`;
    const html = `<title>${escaped(title)}</title><body>${menu}${blocks.join('\n')}</body>`;
    return { docid, html, url: URLS[n % URLS.length], date: TEXTS[n % 3] };
  });
  return pages.map((page) => `${JSON.stringify(page)}\n`).join('');
}

/** Topics that hold the same. */
export const TOPICS = TEXTS.map((text, n) => ({ id: n === 0 ? '<img/src=x/onerror=__ran=60>' : `t${n}`, query: `${text} ${WORD}` }));

/** The topics as JSON lines. */
export const topics = () => TOPICS.map((topic) => `${JSON.stringify(topic)}\n`).join('');

/** Judgments of those pages whose docids a file of judgments can hold. */
export function judgments() {
  const docids = DOCIDS.filter((docid) => !/[\s\p{Cc}]/u.test(docid));
  return TOPICS.flatMap(({ id }) => docids.map((docid, n) => `${id} 0 ${docid} ${n % 3}\n`)).join('');
}

/** A text as far as it can be seen: without white space, control characters, and the signs or names that stand for them. */
export function visible(text) {
  return text
    .replaceAll(/\[U\+[0-9A-F]{4,6}\]/g, '')
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2400-\u2426\ufffd\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '');
}
