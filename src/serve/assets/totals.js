// What the filter and each extractor keep of a page, as a table with bars; its letters are those of the blocks' boxes.
import { bar, byId, count, el, plural } from './dom.js';
import { letter } from './block.js';

let rows = [];

/** A row for the filter and one for each extractor; made once, then only its figures change. */
export function totals(answer) {
  const sums = answer.totals;
  const all = { blocks: sums.blocks, words: sums.words };
  const lines = [
    { name: 'weights' in answer ? 'filter and weights' : 'the filter', sign: '', blocks: sums.blocks_kept, words: sums.words_kept },
    ...answer.extractors.map((name, i) => ({ name, sign: letter(i), ...sums.extractors[name] })),
  ];
  if (rows.length !== lines.length) {
    rows = lines.map((line) => {
      const blocks = el('td', { class: 'n' });
      const words = el('td', { class: 'n' });
      const name = el('span', null);
      const filled = bar(0, 1);
      const row = el(
        'tr',
        null,
        el('th', { scope: 'row' }, line.sign ? el('span', { class: 'sign' }, line.sign) : null, name),
        blocks,
        words,
        el('td', { 'aria-hidden': 'true' }, filled),
      );
      return { row, name, blocks, words, filled: filled.firstChild };
    });
    byId('totals').replaceChildren(
      el(
        'table',
        { class: 'totals' },
        el('caption', null, `Kept of ${plural(all.blocks, 'block')}, ${plural(all.words, 'word')}`),
        el(
          'thead',
          null,
          el(
            'tr',
            null,
            el('th', { scope: 'col' }, 'by'),
            el('th', { scope: 'col', class: 'n' }, 'blocks'),
            el('th', { scope: 'col', class: 'n' }, 'words'),
            el('td', null),
          ),
        ),
        el(
          'tbody',
          null,
          rows.map((one) => one.row),
        ),
      ),
    );
  }
  lines.forEach((line, i) => {
    const one = rows[i];
    one.name.textContent = line.name;
    one.blocks.textContent = count(line.blocks);
    one.words.textContent = count(line.words);
    one.filled.style.width = `${all.words ? (100 * line.words) / all.words : 0}%`;
  });
}
