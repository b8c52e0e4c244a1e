// One block of a page, and how its verdicts are shown.
import { el, marked, spoken } from './dom.js';

/** Letters for extractors: short signs for a row of boxes. */
export const letter = (i) => (i < 26 ? String.fromCharCode(97 + i) : String(i + 1 - 26));

const density = (number) => (Number.isInteger(number) ? String(number) : number.toFixed(2));

/**
 * The list item of a block. With `other`, the name of an extractor, text and verdict stand twice: by the filter, and by it.
 * Gives the item and `judge(block)`, which shows another verdict of the filter on the same block.
 */
export function blockItem(block, extractors, other) {
  const verdict = el('span', { class: 'verdict' });
  const values = [
    ['words ', String(block.num_words)],
    ['density ', density(block.text_density)],
    ['links ', density(block.link_density)],
  ];
  const item = el('li', {
    class: `block${other ? ' double' : ''}`,
    id: `block-${block.block}`,
    'data-block': block.block,
    tabindex: -1,
  });
  const head = el(
    'div',
    { class: 'block-head' },
    verdict,
    el('span', { class: 'number' }, spoken('block '), String(block.block)),
    el('code', { class: 'tag' }, block.tag),
    el(
      'span',
      { class: 'values' },
      values.map(([name, number]) => el('span', null, name, el('b', null, number))),
    ),
    ticks(block, extractors),
  );
  const text = () => {
    const paragraph = el('p', { class: 'text', dir: 'auto' }, marked(block.parts));
    if (block.cut) paragraph.append(el('em', { class: 'quiet' }, ' … (cut here)'));
    return paragraph;
  };
  const mine = el('div', { class: 'cell' }, text());
  item.append(head);
  let judgeOther = null;
  if (other) {
    const theirs = block.labels[other] === true;
    const first = el('p', { class: 'cell-verdict' });
    mine.prepend(first);
    // The same text again is for eyes: a screen reader hears the second verdict alone.
    const copy = text();
    copy.setAttribute('aria-hidden', 'true');
    item.append(
      el(
        'div',
        { class: 'cells' },
        mine,
        el(
          'div',
          { class: 'cell', 'data-kept': String(theirs) },
          el('p', { class: 'cell-verdict' }, `${theirs ? 'content' : 'not content'} for ${other}`),
          copy,
        ),
      ),
    );
    judgeOther = (kept) => {
      first.textContent = `${kept ? 'kept' : 'dropped'} by the filter`;
      mine.dataset.kept = String(kept);
      item.dataset.differs = String(kept !== theirs);
      item.dataset.both = String(!kept && !theirs);
    };
  } else {
    item.append(mine);
  }
  function judge({ kept }) {
    if (item.dataset.kept === String(kept)) return;
    item.dataset.kept = String(kept);
    verdict.textContent = kept ? 'kept' : 'dropped';
    judgeOther?.(kept);
  }
  judge(block);
  return { item, judge, block };
}

function ticks(block, extractors) {
  const named = extractors.filter((name) => block.labels[name]);
  const boxes = extractors.map((name, i) => {
    const content = block.labels[name];
    return el(
      'i',
      { class: content ? 'on' : null, title: `${letter(i)} = ${name}: ${content ? 'content' : 'not content'}` },
      content ? letter(i) : null,
    );
  });
  return el(
    'span',
    { class: 'ticks' },
    el('span', { class: 'boxes', 'aria-hidden': 'true' }, boxes),
    extractors.length
      ? spoken(`content for ${named.length} of ${extractors.length} extractors${named.length ? `: ${named.join(', ')}` : ''}`)
      : null,
  );
}
