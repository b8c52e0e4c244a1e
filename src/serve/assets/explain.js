// Of what a score is made.
import { count, el, foreign } from './dom.js';

const round = (number) => (Number.isInteger(number) ? String(number) : number.toPrecision(4));

/** A table of an answer's `explain`. */
export function explanation(parts, unit) {
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
    el(
      'p',
      null,
      `Length ${count(parts.length)} terms (average ${round(parts.average_length)}), `,
      `${count(parts.num)} ${many} in the statistics; ${count(parts.words_kept)} of the page’s ${count(parts.words_total)} words pass.`,
      parts.confidence ? ` Confidence ${[...new Set(parts.confidence)].map((value) => value.toFixed(2)).join(' to ')}.` : null,
    ),
  );
}
