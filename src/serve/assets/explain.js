// Of what a score is made.
import { bar, count, el, foreign, percent, plural } from './dom.js';

const round = (number) => (Number.isInteger(number) ? String(number) : number.toPrecision(4));

// Blocks with a smaller part of the score are told together.
const SHARES = 8;

/** Tables of an answer's `explain`; `address(block)` is where a block of the page is shown. */
export function explanation(parts, unit, address) {
  const boosted = parts.clauses.some((clause) => clause.boost !== 1);
  const weight = parts.clauses.find((clause) => clause.weight)?.weight.name ?? 'weight';
  const many = unit === 'block' ? 'blocks' : 'pages';
  const head = ['term', boosted ? 'counts' : null, 'here', many, 'in all', weight, 'adds'].filter((name) => name !== null);
  const rows = parts.clauses.map((clause) =>
    el(
      'tr',
      null,
      el('th', { scope: 'row' }, foreign(clause.term)),
      boosted ? el('td', null, round(clause.boost)) : null,
      el('td', null, count(clause.tf)),
      el('td', null, count(clause.df)),
      el('td', null, count(clause.cf)),
      el('td', null, clause.weight ? round(clause.weight.value) : '–'),
      el('td', null, round(clause.score)),
    ),
  );
  const sums = [
    ...parts.factors.map((part) => `× ${part.name} ${round(part.value)}`),
    ...parts.addends.map((part) => `+ ${part.name} ${round(part.value)}`),
  ];
  return el(
    'div',
    { class: 'explanation', tabindex: 0, role: 'group', 'aria-label': 'Explanation of the score' },
    el(
      'table',
      null,
      el('caption', null, `Score ${parts.score.toFixed(4)} by ${parts.model}`),
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          head.map((name) => el('th', { scope: 'col' }, name)),
        ),
      ),
      el('tbody', null, rows),
    ),
    sums.length ? el('p', null, `Then: ${sums.join(', ')}.`) : null,
    parts.shares ? shares(parts.shares, address) : null,
    el(
      'p',
      null,
      `Length ${count(parts.length)} terms (average ${round(parts.average_length)}), `,
      `${count(parts.num)} ${many} in the statistics; ${count(parts.words_kept)} of the page’s ${count(parts.words_total)} words pass.`,
      parts.confidence ? ` Confidence ${[...new Set(parts.confidence)].map((value) => value.toFixed(2)).join(' to ')}.` : null,
    ),
  );
}

/** Which blocks the score comes from, where they have weights: the greatest parts first. */
function shares(all, address) {
  const sorted = [...all].sort((a, b) => b.share - a.share);
  const [first, rest] = [sorted.slice(0, SHARES), sorted.slice(SHARES)];
  const rows = first.map(({ block, weight, share }) =>
    el(
      'tr',
      null,
      el('th', { scope: 'row' }, block === null ? 'title' : el('a', { href: address(block) }, `block ${block}`)),
      el('td', null, `×${weight}`),
      el('td', null, percent(share, 1)),
      el('td', { 'aria-hidden': 'true' }, bar(share, 1)),
    ),
  );
  const little = rest.reduce((sum, { share }) => sum + share, 0);
  return el(
    'div',
    { class: 'shares' },
    el(
      'table',
      null,
      el('caption', null, 'Where the score comes from'),
      el(
        'thead',
        null,
        el('tr', null, ...['block', 'weight', 'share'].map((name) => el('th', { scope: 'col' }, name)), el('td', null)),
      ),
      el('tbody', null, rows),
    ),
    rest.length > 0 ? el('p', null, `And ${plural(rest.length, 'other block')} with ${percent(little, 1)} together.`) : null,
  );
}
