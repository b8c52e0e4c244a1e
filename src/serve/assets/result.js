// One result of a search.
import { bar, count, el, foreign, address, marked, plural, shown, spoken } from './dom.js';
import { SEARCH, pick, query, sifting } from './state.js';
import { explanation } from './explain.js';

/** The address of a page's view, which carries the search along. */
export function pageAddress(docid, asked, block = null) {
  const state = { docid, ...pick(asked, SEARCH) };
  for (const name of ['k', 'from', 'explain']) delete state[name];
  return `/page${query(state, ['docid', ...SEARCH])}${block === null ? '' : `#block-${block}`}`;
}

/** How a rank stands to that without what sifts the blocks: signs for eyes, words for ears. */
function change(one, sifted) {
  const before = one.rank_unfiltered;
  if (before === null || before === undefined) return ['new', `new: not among the first 1,000 without ${sifted}`];
  const up = before - one.rank;
  if (up > 0) return [`▲${count(up)}`, `up ${count(up)} from ${count(before)}`];
  if (up < 0) return [`▼${count(-up)}`, `down ${count(-up)} from ${count(before)}`];
  return ['=', `same rank without ${sifted}`];
}

/** A result's judgment as a shape with its words; grades from `level` on are relevant. */
export function judgment(grade, level = 1) {
  const judged = grade !== null && grade !== undefined;
  const relevant = judged && grade >= level;
  const kind = !judged ? 'unjudged' : relevant ? 'relevant' : 'irrelevant';
  const sign = { unjudged: '?', relevant: '●', irrelevant: '○' }[kind];
  const words = judged ? `${relevant ? '' : 'not '}relevant, grade ${grade}` : 'unjudged';
  return el('span', { class: `grade ${kind}` }, el('span', { 'aria-hidden': 'true' }, `${sign} `), words);
}

/** The list item. `explain(one, asked)` fetches the parts of the score when they are asked for; `level` is the lowest relevant grade. */
export function result(one, answer, asked, { explain, level }) {
  const sifted = sifting(asked);
  const rank = el('div', { class: 'rank' }, el('span', null, spoken('Rank '), count(one.rank)));
  if (sifted) {
    const [sign, words] = change(one, sifted);
    const kind = sign.startsWith('▲') ? 'up' : sign.startsWith('▼') ? 'down' : '';
    rank.append(
      el('span', { class: `change ${kind}`, title: words }, el('span', { 'aria-hidden': 'true' }, sign), spoken(`, ${words}`)),
    );
  }
  const link = el(
    'a',
    { class: 'title', href: pageAddress(one.docid, asked, one.block), dir: 'auto' },
    shown(one.title || one.docid),
  );
  const place = el('p', { class: 'place' }, foreign(one.docid, 'bdi', { class: 'docid' }));
  if (one.url) place.append(' ', address(one.url));

  const body = el('div', { class: 'body' }, el('h3', null, link), place);
  const text = fragments(one);
  if (text) body.append(text);

  const blocks =
    one.block === null || one.block === undefined
      ? `${count(one.blocks_kept)} of ${plural(one.blocks_total, 'block')} kept`
      : `block ${count(one.block)}; ${count(one.blocks_kept)} of the page’s ${plural(one.blocks_total, 'block')} kept`;
  const foot = el('p', { class: 'foot' }, bar(one.blocks_kept, one.blocks_total), el('span', null, blocks));
  if ('grade' in one) foot.append(judgment(one.grade, level));
  body.append(foot);

  const panel = el('div', { class: 'panel', hidden: !one.explain });
  const explained = (parts) => explanation(parts, answer.unit, (block) => pageAddress(one.docid, asked, block));
  if (one.explain) panel.append(explained(one.explain));
  const button = el(
    'button',
    {
      type: 'button',
      class: 'score',
      'aria-expanded': String(Boolean(one.explain)),
      title: 'Of what this score is made',
      onclick: () => toggle(button, panel, () => explain(one, asked), explained),
    },
    'Score ',
    one.score.toFixed(4),
  );
  foot.append(button);
  body.append(panel);
  return el('li', { class: 'result' }, rank, body);
}

function fragments(one) {
  if (one.fragments?.length) {
    const parts = one.fragments.flatMap((fragment, i) => [
      i > 0 ? ' ' : '',
      fragment.cut_before ? '…' : '',
      ...marked(fragment.parts),
      fragment.cut_after ? '…' : '',
    ]);
    return el('p', { class: 'snippet', dir: 'auto' }, parts);
  }
  return one.snippet ? foreign(one.snippet, 'p', { class: 'snippet' }) : null;
}

async function toggle(button, panel, explain, explained) {
  const open = panel.hidden;
  panel.hidden = !open;
  button.setAttribute('aria-expanded', String(open));
  if (!open || panel.childElementCount) return;
  try {
    const parts = await explain();
    panel.replaceChildren(parts ? explained(parts) : el('p', null, 'This result has moved; search again.'));
  } catch (error) {
    panel.replaceChildren(el('p', null, `No explanation: ${error.message}`));
  }
}
