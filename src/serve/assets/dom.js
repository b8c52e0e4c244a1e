// Elements and texts. Nothing here, or anywhere on these pages, reads markup from a string: titles, addresses and blocks come from
// crawled pages and are put in as text only.

/** Sets attributes of a new element; `on…` are listeners, `class` a class list, `true` an empty attribute, `null` none. */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  return element;
}

/** An HTML element; strings among the children become text. */
export function el(name, attributes, ...children) {
  const element = dress(document.createElement(name), attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element. */
export function svg(name, attributes, ...children) {
  const element = dress(document.createElementNS('http://www.w3.org/2000/svg', name), attributes);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

const hex = (character) => character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

/**
 * A page's text made fit to be shown: control characters, and those that turn the direction of what follows, are named instead of
 * obeyed, so that a title cannot pass itself off as another address.
 */
export function shown(text) {
  return text
    .replace(/[\t\n\r\f\v]+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => `[U+${hex(character)}]`);
}

/** A page's text, isolated, so that its direction does not reach what stands around it. */
export const foreign = (text, name = 'bdi', attributes = {}) => el(name, { dir: 'auto', ...attributes }, shown(text));

/** An address from a page: a link only where following it can do no more than open a page. */
export function address(url) {
  let parsed = null;
  try {
    parsed = new URL(url);
  } catch {
    // Not an address that a browser could follow: shown as text.
  }
  // With a name and a password before the host, an address looks like that of another host.
  const followed = parsed && ['http:', 'https:'].includes(parsed.protocol) && !parsed.username && !parsed.password;
  if (!followed) return foreign(url, 'bdi', { class: 'url' });
  return el(
    'a',
    { class: 'url', href: parsed.href, rel: 'noopener noreferrer nofollow', target: '_blank', dir: 'ltr' },
    shown(url),
  );
}

/** Text with the query's words in <mark>: every second part is one. */
export const marked = (parts) => parts.map((part, i) => (i % 2 === 1 ? el('mark', null, shown(part)) : shown(part)));

/** Text for screen readers alone. */
export const spoken = (text) => el('span', { class: 'spoken' }, text);

const whole = new Intl.NumberFormat('en-GB');
/** 428,670 */
export const count = (number) => whole.format(number);

/** "1 page", "2 pages" */
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** A share in words: small ones are not rounded to nothing, nor big ones to all. */
export function percent(part, all) {
  if (all === 0) return '–';
  const value = (100 * part) / all;
  if (part === 0) return '0 %';
  if (part === all) return '100 %';
  if (value < 0.1) return '< 0.1 %';
  if (value > 99.9) return '> 99.9 %';
  return `${value.toFixed(value < 10 || value > 99 ? 1 : 0)} %`;
}

/** A small bar; what it says stands beside it in words. */
export function bar(part, all, style = '') {
  const filled = el('span', null);
  filled.style.width = `${all === 0 ? 0 : (100 * part) / all}%`;
  return el('span', { class: `bar ${style}`, 'aria-hidden': 'true' }, filled);
}

/** State of the page for whoever waits for it: loading, ready or error. */
export function phase(name) {
  document.documentElement.dataset.state = name;
}
