// Measures against thresholds, with what stands behind a point: each topic's gain, and a topic's results.
import { byId, count, el, foreign, phase, plural, shown } from './dom.js';
import { Trouble, channel, get } from './api.js';
import { FILTER, hasFilter, pick, query, read, set, track } from './state.js';
import { inWords, numeric, onRest } from './filter.js';
import { announce, begin, busy, inputMark, modelOptions, painted, sayTrouble } from './frame.js';
import { chart } from './chart.js';
import { judgment, pageAddress } from './result.js';

const NAMES = ['vary', 'measure', ...FILTER, 'model', 'stats', 'topic', 'at'];
const POLL_MS = 300;
const FIRST = 10;
// Used where the answer brings no such sentence.
const NO_ESTIMATE = 'The best point (★) is the best of a line’s thresholds on these same topics: no estimate of what it gives on others.';
const NAMES_IN_WORDS = {
  min_words: 'minimum words', max_words: 'maximum words', min_density: 'minimum text density', max_density: 'maximum text density',
  max_link_density: 'maximum link density',
};

let { state, wrong } = read(NAMES);

begin((manifest) => {
  const { sweep } = manifest;
  if (!sweep || sweep.measures.length === 0) {
    absent(sweep);
    return;
  }
  byId('sweep').hidden = false;
  let swept = null;
  let line = null;
  let measure = 0;
  // The threshold that stays, and the one that is looked at.
  let stays = 0;
  let seen = 0;

  const address = track(NAMES, () => {
    ({ state, wrong } = read(NAMES));
    refresh();
    arrive({ since: performance.now() });
  });
  const dimension = () => (sweep.dimensions.includes(state.vary) ? state.vary : sweep.dimensions[0]);
  const topic = () => (sweep.topics.some((item) => item.id === state.topic) ? state.topic : sweep.topics[0].id);
  if (!wrong) address.tidy(state);

  const sweeps = channel({
    run: pollSweep,
    done: showSweep,
    trouble: (error) => {
      if (error && error.kind !== 'busy') byId('progress').hidden = true;
      sayTrouble(error, swept !== null);
    },
  });
  const searches = channel({
    run: (job, signal) => get('/api/search', job.parameters, signal),
    done: ({ body }, job) => showResults(body, job),
    trouble: (error) => sayTrouble(error, byId('results').childElementCount > 0),
  });

  async function pollSweep(job, signal) {
    for (;;) {
      const { status, body } = await get('/api/sweep', job.parameters, signal);
      if (status !== 202) return body;
      progress(body);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
  }

  function progress({ state: phaseOfSweep, done = 0, of = 1 }) {
    const waiting = phaseOfSweep === 'waiting';
    byId('progress').hidden = false;
    byId('progress-text').textContent = waiting ? 'Another sweep has to end first'
      : `Searching all topics at every threshold: ${count(done)} of ${count(of)} steps`;
    byId('progress-bar').max = of;
    byId('progress-bar').value = done;
    announce(waiting ? 'The sweep waits for another.' : 'The sweep is being computed.');
  }

  /** The rest of the filter: the threshold that varies is none of it. */
  function base() {
    const filter = pick(state, FILTER);
    delete filter[dimension()];
    return filter;
  }

  /** Shows what an address says, unless it says what cannot be. */
  function arrive(when) {
    wrong ??= unknownChoice();
    if (!wrong) {
      load(when);
      return;
    }
    sweeps.stop();
    searches.stop();
    sayTrouble(wrong, swept !== null);
  }

  /** The view's own choices are not seen by the server. */
  function unknownChoice() {
    const choices = { vary: sweep.dimensions, measure: sweep.measures, topic: sweep.topics.map((item) => item.id) };
    for (const [name, known] of Object.entries(choices)) {
      if (name in state && !known.includes(state[name])) return new Trouble('refused', `${name}: there is no '${state[name]}'`, 'choose one below');
    }
    return null;
  }

  function load({ since }) {
    const ticket = busy();
    sweeps.ask({ parameters: { vary: dimension(), ...base(), ...pick(state, ['model', 'stats']) }, since, ticket });
  }

  function showSweep(answer, job) {
    swept = answer;
    [line] = answer.lines;
    byId('progress').hidden = true;
    byId('outcome').hidden = false;
    byId('halves').hidden = false;
    draw();
    look(seen, { since: job.since });
  }

  /** Everything that depends on the measure, but not on the threshold looked at. */
  function draw() {
    measure = Math.max(swept.measures.indexOf(state.measure ?? sweep.measures[0]), 0);
    const name = swept.measures[measure];
    const points = line.points.map(({ x, result }) => ({
      x, y: result.means[measure], low: result.intervals[measure][0], high: result.intervals[measure][1],
    }));
    const reference = swept.references[0].result.means[measure];
    const judged = name.startsWith('Judged');
    const best = judged ? null : points.reduce((so, point, i) => (point.y > points[so].y ? i : so), 0);
    const at = line.points.findIndex((point) => point.threshold === state.at || point.x === Number(state.at));
    stays = state.at !== undefined && at >= 0 ? at : best ?? 0;
    seen = stays;
    const [first, last] = [line.points[0], line.points.at(-1)];
    const label = `${name} against ${NAMES_IN_WORDS[dimension()]}: ${points[0].y.toFixed(3)} at ${first.threshold}, ${points.at(-1).y.toFixed(3)} at `
      + `${last.threshold}; unfiltered ${reference.toFixed(3)}${best === null ? '' : `; highest ${points[best].y.toFixed(3)} at ${line.points[best].threshold}`}.`;
    picture.draw({ points, reference, best, xName: NAMES_IN_WORDS[dimension()], label });
    byId('chart-heading').textContent = `${name} of ${plural(swept.topics.length, 'topic')}, ${line.model}`;
    byId('at').max = points.length - 1;
    legend(name, best !== null);
    chosen(name, best);
    table(name);
    facts();
  }

  function legend(name, star) {
    const sign = (kind) => el('span', { class: `key ${kind}`, 'aria-hidden': 'true' });
    byId('legend').replaceChildren(
      el('span', null, sign('curve'), `mean ${name}`), el('span', null, sign('band'), '95 % interval over topics'),
      el('span', null, sign('reference'), 'unfiltered'), star ? el('span', null, '★ highest') : '',
      el('span', { class: 'hint' }, 'Point at a threshold to look at it; click, or move the slider, to stay there.'));
  }

  function chosen(name, best) {
    const host = byId('chosen');
    const choice = line.chosen[measure];
    if (best === null) {
      host.replaceChildren(el('p', null, `${name} says how much of the rankings was judged; it is nothing to choose a threshold by.`));
      return;
    }
    const point = line.points[best];
    const nodes = [el('p', null, el('strong', null, 'Best point: '), `${point.result.means[measure].toFixed(3)} at ${point.threshold}. `,
      shown(swept.note ?? NO_ESTIMATE))];
    if (choice && choice.thresholds.length) {
      const sign = choice.difference < 0 ? '−' : '+';
      nodes.push(el('p', null, el('strong', null, 'Chosen by cross-validation: '),
        `${choice.mean.toFixed(3)}, which is ${sign}${Math.abs(choice.difference).toFixed(3)} against unfiltered (p = ${pValue(choice.p)}). `,
        `Each topic is measured at a threshold chosen without it; the ${choice.thresholds.length} folds chose ${choice.thresholds.join(', ')}.`));
    }
    host.replaceChildren(...nodes);
  }

  function table(name) {
    const row = (label, result, head) => el('tr', null, el('th', { scope: 'row' }, label),
      el('td', { class: 'n' }, result.means[measure].toFixed(3)), el('td', { class: 'n' }, interval(result)), head ?? el('td', { class: 'n' }, gain(result)));
    byId('table').replaceChildren(el('table', null,
      el('caption', { class: 'spoken' }, `${name} at every threshold`),
      el('thead', null, el('tr', null, [NAMES_IN_WORDS[dimension()], name, '95 % interval', 'to unfiltered'].map((text, i) =>
        el('th', { scope: 'col', class: i ? 'n' : null }, text)))),
      el('tbody', null, row('unfiltered', swept.references[0].result), line.points.map((point) => row(point.threshold, point.result)))));
  }

  const interval = (result) => `${result.intervals[measure][0].toFixed(3)} to ${result.intervals[measure][1].toFixed(3)}`;
  const signed = (number) => (Math.abs(number) < 0.0005 ? '0.000' : `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`);
  const gain = (result) => signed(result.means[measure] - swept.references[0].result.means[measure]);

  function facts() {
    byId('how').replaceChildren(...swept.facts.map(([name, value]) => el('div', null, el('dt', null, name), el('dd', null, shown(value)))));
  }

  /** Shows threshold number `i`: what was measured there, who gained, and the topic's results. */
  function look(i, { since, patient = false }) {
    seen = Math.min(Math.max(i, 0), line.points.length - 1);
    const point = line.points[seen];
    const { result } = point;
    const name = swept.measures[measure];
    picture.mark(seen);
    byId('at').value = seen;
    byId('at').setAttribute('aria-valuetext', `${NAMES_IN_WORDS[dimension()]} ${point.threshold}: ${name} ${result.means[measure].toFixed(3)}`);
    byId('readout').replaceChildren(
      el('strong', null, `${NAMES_IN_WORDS[dimension()]} ${point.threshold}: ${name} ${result.means[measure].toFixed(3)}`),
      ` (${interval(result)}), ${gain(result)} against unfiltered ${swept.references[0].result.means[measure].toFixed(3)}`);
    gains(result);
    search({ since, patient });
  }

  const rows = new Map();
  function gains(result) {
    const before = swept.references[0].result.scores[measure];
    const now = result.scores[measure];
    const list = swept.topics.map((item, i) => ({ item, difference: now[i] - before[i], now: now[i], before: before[i] }));
    list.sort((a, b) => b.difference - a.difference || (a.item.id < b.item.id ? -1 : 1));
    const most = Math.max(...list.map(({ difference }) => Math.abs(difference)), 0.001);
    const tally = [list.filter((one) => one.difference > 0).length, list.filter((one) => one.difference < 0).length];
    byId('gains-about').textContent = `${swept.measures[measure]} at this threshold less that without a filter: ${tally[0]} of ${plural(list.length, 'topic')} gain, `
      + `${tally[1]} lose. Choose one to see its results.`;
    for (const one of list) {
      if (!rows.has(one.item.id)) rows.set(one.item.id, gainRow(one.item));
      const row = rows.get(one.item.id);
      const part = (Math.abs(one.difference) / most) * 50;
      row.fill.style.width = `${part}%`;
      row.fill.style.left = one.difference < 0 ? `${50 - part}%` : '50%';
      row.fill.className = one.difference < 0 ? 'down' : 'up';
      row.value.textContent = signed(one.difference);
      row.button.title = `${one.before.toFixed(3)} without a filter, ${one.now.toFixed(3)} at this threshold`;
      row.button.setAttribute('aria-pressed', String(one.item.id === topic()));
    }
    const order = list.map((one) => rows.get(one.item.id).row);
    const host = byId('gains');
    // Nothing is moved that is in its place: a moved button would lose the focus.
    if (order.length !== host.childElementCount || order.some((row, i) => host.children[i] !== row)) {
      const focused = host.contains(document.activeElement) ? document.activeElement : null;
      host.replaceChildren(...order);
      focused?.focus({ preventScroll: true });
    }
  }

  function gainRow(item) {
    const fill = el('span', null);
    const value = el('span', { class: 'gain-value' });
    const button = el('button', { type: 'button', onclick: (event) => chooseTopic(item.id, event) },
      foreign(item.query, 'span', { class: 'gain-name' }), el('span', { class: 'gain-bar', 'aria-hidden': 'true' }, fill), value);
    return { row: el('li', null, button), button, fill, value };
  }

  function chooseTopic(id, event) {
    set(state, 'topic', id);
    byId('topic').value = id;
    for (const [key, { button }] of rows) button.setAttribute('aria-pressed', String(key === id));
    address.show(state, true);
    search({ since: inputMark(event) });
  }

  function search({ since, patient = false }) {
    const filter = { ...base(), [dimension()]: line.points[seen].threshold };
    const parameters = { topic: topic(), ...filter, ...pick(state, ['model', 'stats']), k: FIRST };
    const asked = { topic: topic(), ...pick(state, ['model', 'stats']) };
    for (const [name, value] of Object.entries(filter)) set(asked, name, value);
    searches.ask({ parameters, asked, since, ticket: busy(), at: line.points[seen].threshold }, patient);
  }

  function showResults(answer, job) {
    byId('results').replaceChildren(...answer.results.map((one) => el('li', { class: 'result brief' },
      el('div', { class: 'rank' }, count(one.rank)),
      el('div', { class: 'body' },
        el('a', { class: 'title', href: pageAddress(one.docid, job.asked), dir: 'auto' }, shown(one.title || one.docid)),
        el('p', { class: 'foot' }, judgment(one.grade), foreign(one.docid, 'bdi', { class: 'docid' }),
          `${count(one.blocks_kept)} of ${plural(one.blocks_total, 'block')} kept`)))));
    const relevant = answer.results.filter((one) => one.grade > 0).length;
    const unjudged = answer.results.filter((one) => one.grade === null || one.grade === undefined).length;
    byId('results-about').textContent = answer.results.length
      ? `“${shown(answer.query)}” in ${inWords(job.asked)}: of the first ${answer.results.length}, ${relevant} relevant, ${unjudged} unjudged.`
      : `“${shown(answer.query)}” in ${inWords(job.asked)}: nothing found.`;
    byId('open-search').href = `/${query(job.asked, ['topic', ...FILTER, 'model', 'stats'])}`;
    announce(`${byId('readout').textContent}. ${byId('results-about').textContent}`);
    painted(job);
  }

  const picture = chart(byId('chart'), (i, clicked, event) => {
    if (!line) return;
    if (clicked && i !== null) stay(i, false);
    look(i ?? stays, { since: inputMark(event), patient: true });
  });
  function stay(i, moving) {
    stays = i;
    set(state, 'at', line.points[i].threshold);
    address.show(state, !moving);
  }
  const at = byId('at');
  at.addEventListener('input', (event) => {
    if (!line) return;
    stay(Number(at.value), true);
    look(Number(at.value), { since: inputMark(event), patient: true });
  });
  onRest(at, address.settle);

  byId('choices').addEventListener('submit', (event) => event.preventDefault());
  byId('base').addEventListener('submit', (event) => event.preventDefault());
  byId('vary').append(...sweep.dimensions.map((name) => el('option', { value: name }, NAMES_IN_WORDS[name] ?? name)));
  byId('measure').append(...sweep.measures.map((name) => el('option', { value: name }, name)));
  byId('topic').append(...sweep.topics.map((item) =>
    el('option', { value: item.id }, `${item.id}: ${shown(item.query)} (${count(item.relevant)} of ${count(item.judged)} judged are relevant)`)));
  byId('topic').addEventListener('change', (event) => chooseTopic(event.target.value, event));

  const choice = (id, afresh) => byId(id).addEventListener('change', (event) => {
    set(state, id, event.target.value);
    // A threshold of one kind is none of another.
    if (id === 'vary') delete state.at;
    const since = inputMark(event);
    address.show(state, true);
    refresh();
    if (afresh) load({ since });
    else if (swept) {
      draw();
      look(seen, { since });
    }
  });
  byId('extractor').append(...manifest.extractors.map(({ name }) => el('option', { value: name }, name)));
  choice('vary', true);
  choice('extractor', true);
  choice('model', true);
  choice('stats', true);
  choice('measure', false);

  const fields = baseFields(byId('base'), (name, value, event) => {
    set(state, name, value);
    refresh();
    address.show(state, true);
    load({ since: inputMark(event) });
  });

  function refresh() {
    byId('vary').value = dimension();
    byId('measure').value = sweep.measures.includes(state.measure) ? state.measure : sweep.measures[0];
    byId('topic').value = topic();
    byId('stats').value = state.stats ?? 'subset';
    modelOptions(byId('model'), manifest, state.model ?? 'bm25');
    for (const field of fields) {
      field.row.hidden = field.name === dimension();
      field.input.value = field.name === 'extractor' ? state.extractor ?? '' : numeric(state[field.name]);
    }
    const extractor = byId('extractor');
    const name = state.extractor ?? '';
    if (![...extractor.options].some((option) => option.value === name)) extractor.append(el('option', { value: name }, name));
    extractor.value = name;
    const { extractor: _, ...rest } = base();
    byId('base-words').textContent = hasFilter(rest) ? inWords(rest) : 'none';
    if (hasFilter(rest) || 'stats' in state) byId('base-box').open = true;
  }

  refresh();
  arrive({ since: performance.now() });
});

const pValue = (p) => (p < 0.001 ? 'below 0.001' : p.toFixed(3));

function baseFields(host, changed) {
  const names = FILTER.filter((name) => name !== 'extractor');
  const fields = names.map((name) => {
    const input = el('input', { id: `base-${name}`, type: 'number', min: 0, step: name.endsWith('words') ? 1 : 'any', placeholder: 'any',
      onchange: (event) => input.validity.badInput || changed(name, input.value, event) });
    const label = NAMES_IN_WORDS[name];
    return { name, input, row: el('div', { class: 'field' }, el('label', { for: `base-${name}` }, label[0].toUpperCase() + label.slice(1)), input) };
  });
  host.prepend(...fields.map(({ row }) => row));
  return fields;
}

/** In words how the view could be had. */
function absent(sweep) {
  const host = byId('absent');
  host.hidden = false;
  host.replaceChildren(
    el('p', null, sweep ? 'The server was started with topics, but without judgments, so that nothing can be measured.'
      : 'The server was started without topics and judgments, so that there is nothing to measure.'),
    el('p', null, 'To see what each threshold does to retrieval, start it with both:'),
    el('pre', { tabindex: 0 }, el('code', null, 'trommel serve --index DIR --topics TOPICS --qrels QRELS')),
    el('p', null, 'Topics may be TREC SGML, web-track XML, qid:text, TSV or JSONL; judgments are TREC’s qrels. ', el('a', { href: '/' }, 'To the search')));
  byId('nav-sweep').hidden = false;
  announce('There is nothing to measure.');
  phase('ready');
}
