// One block of a page, and how its verdicts are shown.
import { el, marked, spoken } from './dom.js';

/** Letters for extractors: short signs for a row of boxes. */
export const letter = (i) => (i < 26 ? String.fromCharCode(97 + i) : String(i + 1 - 26));

const density = (number) => String(Number(number.toFixed(2)));
const VALUES = ['words', 'density', 'links', 'confidence'];
// Shades by weight, each up to this one; what counts more has the darkest.
const SHADES = [0, 0.25, 0.5, 1, 2];
// A text of so few characters stands on one line with the values.
const SHORT = 60;

/**
 * The list item of a block. With `other`, the name of an extractor, text and verdict stand twice: by the filter, and by it. With `sure`,
 * the name of another, its confidence is shown.
 * Gives the item and `judge(block)`, which shows another verdict of the filter on the same block, and another weight.
 */
export function blockItem(block, extractors, other, sure) {
  const length = block.parts.reduce((sum, part) => sum + part.length, 0);
  const kinds = ['block', sure ? 'confident' : '', other ? 'double' : 'single', length <= SHORT ? 'short' : 'long'];
  const words = el('span', { class: 'word' });
  const weighed = el('span', { class: 'weight' });
  const verdict = el('span', { class: 'verdict' }, words, weighed);
  const mine = cell(block);
  const cells = el('div', { class: 'cells' }, mine);
  const values = [String(block.num_words), density(block.text_density), density(block.link_density)];
  if (sure) values.push(block.confidences[sure].toFixed(2));
  const item = el(
    'li',
    { class: kinds.join(' '), id: `block-${block.block}`, 'data-block': block.block, tabindex: -1 },
    verdict,
    el('span', { class: 'number' }, spoken('block '), String(block.block)),
    el('code', { class: 'tag' }, block.tag),
    cells,
    values.map((value, i) => el('span', { class: `value ${VALUES[i]}` }, el('span', { class: 'unit' }, `${VALUES[i]} `), value)),
    ticks(block, extractors),
  );
  const theirs = other ? block.labels[other] === true : null;
  if (other) {
    // The same text again is for eyes: a screen reader hears the second verdict alone.
    const copy = cell(block);
    copy.setAttribute('aria-hidden', 'true');
    copy.dataset.kept = String(theirs);
    cells.append(copy);
  }

  function judge({ kept, weight }) {
    weigh(weight);
    if (item.dataset.kept === String(kept)) return;
    item.dataset.kept = String(kept);
    if (!other) {
      words.textContent = word(kept);
      return;
    }
    mine.dataset.kept = String(kept);
    item.dataset.differs = String(kept !== theirs);
    item.dataset.both = String(!kept && !theirs);
    const chips = [
      ['filter', kept],
      [other, theirs],
    ].map(([by, one]) =>
      el('span', { class: 'chip', 'data-by': by, 'data-kept': String(one), 'aria-hidden': 'true' }, word(one)),
    );
    words.replaceChildren(...chips, spoken(`${word(kept)} by the filter, ${theirs ? '' : 'not '}content for ${other}`));
  }
  function weigh(weight) {
    if (weight === undefined) {
      weighed.replaceChildren();
      delete item.dataset.shade;
      return;
    }
    weighed.replaceChildren(...times(weight));
    item.dataset.shade = shade(weight);
  }
  judge(block);
  return { item, judge, block };
}

/** How much something counts, for eyes and ears. */
export const times = (weight) => [spoken(' weight '), `×${weight}`];

/** The number of the shade of a weight. */
export function shade(weight) {
  const number = SHADES.findIndex((most) => weight <= most);
  return String(number < 0 ? SHADES.length : number);
}

const word = (kept) => (kept ? 'kept' : 'dropped');

function cell(block) {
  const text = el('p', { class: 'text', dir: 'auto' }, marked(block.parts));
  if (block.cut) text.append(el('em', { class: 'quiet' }, ' … (cut here)'));
  return el('div', { class: 'cell' }, text);
}

/** A box for each extractor. Its letter comes from the style sheet: it stands in the head of the list, too. */
function ticks(block, extractors) {
  const named = extractors.filter((name) => block.labels[name]);
  const boxes = extractors.map((name, i) => {
    const content = block.labels[name];
    const confidence = block.confidences?.[name];
    const sure = confidence === undefined ? '' : `, confidence ${confidence.toFixed(2)}`;
    const title = `${letter(i)} = ${name}: ${content ? 'content' : 'not content'}${sure}`;
    return el('i', { class: content ? 'on' : null, title, 'data-letter': letter(i) });
  });
  const words = `content for ${named.length} of ${extractors.length} extractors${named.length ? `: ${named.join(', ')}` : ''}`;
  return el(
    'span',
    { class: 'ticks' },
    el('span', { class: 'boxes', 'aria-hidden': 'true' }, boxes),
    extractors.length ? spoken(words) : null,
  );
}

/** The head of the list: what stands in which column. The items say all of it themselves, so it is for eyes alone. */
export function columnHeads(extractors, other, sure, weighted) {
  const letters = extractors.map((name, i) => el('span', { title: `${letter(i)} = ${name}` }, letter(i)));
  const verdicts = ['filter', other ? 'other' : '', weighted ? 'weight' : ''].filter(Boolean).join(', ');
  const names = [verdicts, 'block', 'tag', 'text', ...VALUES.slice(0, sure ? 4 : 3)];
  return [
    el(
      'div',
      { class: `heads ${weighted ? 'weighted ' : ''}${sure ? 'confident ' : ''}${other ? 'double' : 'single'}`, 'aria-hidden': 'true' },
      names.map((name) => el('span', null, name)),
      el('span', { class: 'letters' }, letters),
    ),
    other
      ? el('div', { class: 'sides', 'aria-hidden': 'true' }, el('span', null, 'by the filter'), el('span', null, `by ${other}`))
      : '',
  ];
}
