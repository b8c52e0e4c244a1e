// A sweep's curve in words: how to read it, its best point, what was chosen by cross-validation, and all of it as a table.
import { byId, el } from './dom.js';

const NO_ESTIMATE =
  'The best point (★) is the best of a line’s thresholds on these same topics: no estimate of what it gives on others.';

/** +0.031, −0.002 */
export const signed = (number) =>
  Math.abs(number) < 0.0005 ? '0.000' : `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`;

/** Ends of a mean's interval. */
export const interval = ([low, high]) => `${low.toFixed(3)} to ${high.toFixed(3)}`;

const pValue = (p) => (p < 0.001 ? 'below 0.001' : p.toFixed(3));

/** What the signs of the curve mean. */
export function legend(measure, star) {
  const sign = (kind) => el('span', { class: `key ${kind}`, 'aria-hidden': 'true' });
  byId('legend').replaceChildren(
    el('span', null, sign('curve'), `mean ${measure}`),
    el('span', null, sign('band'), '95 % interval over topics'),
    el('span', null, sign('reference'), 'unfiltered'),
    star ? el('span', null, '★ highest') : '',
    el('span', { class: 'hint' }, 'Point at a threshold to look at it; click, or move the slider, to stay there.'),
  );
}

/** The best point, with a warning, and the honest choice; `best` is null for a measure that is nothing to choose by. */
export function choice(name, measure, line, best) {
  const host = byId('chosen');
  if (best === null) {
    host.replaceChildren(
      el('p', null, `${name} says how much of the rankings was judged; it is nothing to choose a threshold by.`),
    );
    return;
  }
  const { result, threshold } = line.points[best];
  const nodes = [
    el('p', null, el('strong', null, 'Best point: '), `${result.means[measure].toFixed(3)} at ${threshold}. ${NO_ESTIMATE}`),
  ];
  const chosen = line.chosen[measure];
  if (chosen?.thresholds.length) {
    nodes.push(
      el(
        'p',
        null,
        el('strong', null, 'Chosen by cross-validation: '),
        `${chosen.mean.toFixed(3)}, which is ${signed(chosen.difference)} against unfiltered (p = ${pValue(chosen.p)}). `,
        `Each topic is measured at a threshold chosen without it; the ${chosen.thresholds.length} folds chose ${chosen.thresholds.join(', ')}.`,
      ),
    );
  }
  host.replaceChildren(...nodes);
}

/** All points of a line. */
export function table(name, measure, varied, line, unfiltered) {
  const cell = (text) => el('td', { class: 'n' }, text);
  const row = (label, result) =>
    el(
      'tr',
      null,
      el('th', { scope: 'row' }, label),
      cell(result.means[measure].toFixed(3)),
      cell(interval(result.intervals[measure])),
      cell(signed(result.means[measure] - unfiltered.means[measure])),
    );
  const head = [varied, name, '95 % interval', 'to unfiltered'];
  byId('table').replaceChildren(
    el(
      'table',
      null,
      el('caption', { class: 'spoken' }, `${name} at every threshold`),
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          head.map((text, i) => el('th', { scope: 'col', class: i ? 'n' : null }, text)),
        ),
      ),
      el(
        'tbody',
        null,
        row('unfiltered', unfiltered),
        line.points.map((point) => row(point.threshold, point.result)),
      ),
    ),
  );
}
