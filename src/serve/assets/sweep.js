// Measures against thresholds, with what stands behind a point: each topic's gain, and a topic's results.
import { byId, count, el, foreign, phase, plural, shown } from './dom.js';
import { Trouble, channel, drop, get } from './api.js';
import { COMMON, FILTER, hasWeights, pick, query, read, set, sifting, track } from './state.js';
import { expressionBox } from './expression.js';
import { inWords, numeric, onRest, title } from './filter.js';
import { announce, begin, busy, carry, inputMark, modelOptions, painted, sayTrouble } from './frame.js';
import { chart } from './chart.js';
import { gainsList } from './gains.js';
import { choice, interval, legend, signed, table } from './reading.js';
import { judgment, pageAddress } from './result.js';

const POLL_MS = 300;
const FIRST = 10;
let state = {};
let wrong = null;

begin((manifest) => {
  const { sweep } = manifest;
  const NAMES = ['vary', 'measure', ...COMMON, 'at'];
  // What a sweep is asked with besides filter and threshold.
  const RANKED = ['weights', 'model', 'stats'];
  ({ state, wrong } = read(NAMES));
  const bounds = Object.fromEntries(manifest.bounds.map((bound) => [bound.name, bound]));
  /** What varies, in words. */
  const named = (name) => title(bounds[name]).toLowerCase();
  if (!sweep || sweep.measures.length === 0) {
    absent(sweep);
    return;
  }
  byId('sweep').hidden = false;
  // What is shown, and what it was asked with: the choices may be ahead of it.
  let swept = null;
  let line = null;
  let asked = null;
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
  const unfiltered = () => swept.references[0].result;
  const gains = gainsList((id, event) => chooseTopic(id, event));
  const topic = () => (sweep.topics.some((item) => item.id === state.topic) ? state.topic : sweep.topics[0].id);
  if (!wrong) address.tidy(state);

  const sweeps = channel({
    run: pollSweep,
    done: showSweep,
    trouble: (error) => {
      if (error && error.kind !== 'busy') byId('progress').hidden = true;
      say('sweep', error);
    },
  });
  const searches = channel({
    run: (job, signal) => get('/api/search', job.parameters, signal),
    done: ({ body }, job) => showResults(body, job),
    trouble: (error) => say('search', error),
  });

  // A search that goes well does not end the trouble of a sweep.
  const troubles = {};
  function say(whose, error) {
    troubles[whose] = error;
    sayTrouble(troubles.sweep ?? troubles.search, swept !== null);
  }

  async function pollSweep(job, signal) {
    // Nobody wants what is left behind: by another choice, or by leaving the page.
    const leave = () => {
      stay();
      drop('/api/sweep', job.parameters);
    };
    const stay = () => {
      signal.removeEventListener('abort', leave);
      removeEventListener('pagehide', leave);
    };
    try {
      for (;;) {
        const { status, body } = await get('/api/sweep', job.parameters, signal);
        if (status !== 202) return body;
        signal.addEventListener('abort', leave);
        addEventListener('pagehide', leave);
        progress(body);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        signal.throwIfAborted();
      }
    } finally {
      stay();
    }
  }

  function progress({ state: phaseOfSweep, done = 0, of = 1 }) {
    const waiting = phaseOfSweep === 'waiting';
    byId('progress').hidden = false;
    byId('progress-text').textContent = waiting
      ? 'Another sweep has to end first'
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
    say('sweep', wrong);
  }

  /** The view's own choices are not seen by the server. */
  function unknownChoice() {
    const choices = { vary: sweep.dimensions, measure: sweep.measures, topic: sweep.topics.map((item) => item.id) };
    for (const [name, known] of Object.entries(choices)) {
      if (name in state && !known.includes(state[name]))
        return new Trouble('refused', `${name}: there is no '${state[name]}'`, 'choose one below');
    }
    return null;
  }

  function load({ since }) {
    const ticket = busy();
    sweeps.ask({ parameters: { vary: dimension(), ...base(), ...pick(state, RANKED) }, since, ticket });
  }

  function showSweep(answer, job) {
    swept = answer;
    [line] = answer.lines;
    asked = job.parameters;
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
      x,
      y: result.means[measure],
      low: result.intervals[measure][0],
      high: result.intervals[measure][1],
    }));
    const reference = unfiltered().means[measure];
    const judged = name.startsWith('Judged');
    const best = judged ? null : points.reduce((so, point, i) => (point.y > points[so].y ? i : so), 0);
    const at = line.points.findIndex((point) => point.threshold === state.at || point.x === Number(state.at));
    stays = state.at !== undefined && at >= 0 ? at : (best ?? 0);
    seen = stays;
    const [first, last] = [line.points[0], line.points.at(-1)];
    const label =
      `${name} against ${named(asked.vary)}: ${points[0].y.toFixed(3)} at ${first.threshold}, ${points.at(-1).y.toFixed(3)} at ` +
      `${last.threshold}; unfiltered ${reference.toFixed(3)}${best === null ? '' : `; highest ${points[best].y.toFixed(3)} at ${line.points[best].threshold}`}.`;
    picture.draw({ points, reference, best, xName: named(asked.vary), label });
    byId('chart-heading').textContent = `${name} of ${plural(swept.topics.length, 'topic')}, ${line.model}`;
    byId('at').max = points.length - 1;
    legend(name, best !== null);
    choice(name, measure, line, best);
    table(name, measure, named(asked.vary), line, unfiltered());
    facts();
  }

  function facts() {
    byId('how').replaceChildren(
      ...swept.facts.map(([name, value]) => el('div', null, el('dt', null, name), el('dd', null, shown(value)))),
    );
  }

  /** Shows threshold number `i`: what was measured there, who gained, and the topic's results. */
  function look(i, { since, patient = false }) {
    seen = Math.min(Math.max(i, 0), line.points.length - 1);
    const point = line.points[seen];
    const { result } = point;
    const name = swept.measures[measure];
    picture.mark(seen);
    byId('at').value = seen;
    byId('at').setAttribute(
      'aria-valuetext',
      `${named(asked.vary)} ${point.threshold}: ${name} ${result.means[measure].toFixed(3)}`,
    );
    const [mean, before] = [result.means[measure], unfiltered().means[measure]];
    byId('readout').replaceChildren(
      el('strong', null, `${named(asked.vary)} ${point.threshold}: ${name} ${mean.toFixed(3)}`),
      ` (${interval(result.intervals[measure])}), ${signed(mean - before)} against unfiltered ${before.toFixed(3)}`,
    );
    gains.show(swept.topics, name, unfiltered().scores[measure], result.scores[measure], topic());
    search({ since, patient });
  }

  function chooseTopic(id, event) {
    set(state, 'topic', id);
    byId('topic').value = id;
    gains.pick(id);
    address.show(state, true);
    if (line) search({ since: inputMark(event) });
  }

  function search({ since, patient = false }) {
    const filter = { ...pick(asked, FILTER), [asked.vary]: line.points[seen].threshold };
    const ranking = pick(asked, RANKED);
    const parameters = { topic: topic(), ...filter, ...ranking, k: FIRST };
    const shownState = { topic: topic(), ...ranking };
    for (const [name, value] of Object.entries(filter)) set(shownState, name, value);
    searches.ask({ parameters, asked: shownState, since, ticket: busy() }, patient);
  }

  function showResults(answer, job) {
    byId('results').replaceChildren(
      ...answer.results.map((one) =>
        el(
          'li',
          { class: 'result brief' },
          el('div', { class: 'rank' }, count(one.rank)),
          el(
            'div',
            { class: 'body' },
            el('a', { class: 'title', href: pageAddress(one.docid, job.asked), dir: 'auto' }, shown(one.title || one.docid)),
            el(
              'p',
              { class: 'foot' },
              judgment(one.grade, sweep.level),
              foreign(one.docid, 'bdi', { class: 'docid' }),
              `${count(one.blocks_kept)} of ${plural(one.blocks_total, 'block')} kept`,
            ),
          ),
        ),
      ),
    );
    const judged = answer.results.filter((one) => one.grade !== null && one.grade !== undefined);
    const relevant = judged.filter((one) => one.grade >= (sweep.level ?? 1)).length;
    const unjudged = answer.results.length - judged.length;
    byId('results-about').textContent = answer.results.length
      ? `“${shown(answer.query)}” in ${inWords(job.asked)}: of the first ${answer.results.length}, ${relevant} relevant, ${unjudged} unjudged.`
      : `“${shown(answer.query)}” in ${inWords(job.asked)}: nothing found.`;
    byId('open-search').href = `/${query(job.asked, COMMON)}`;
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
  byId('vary').append(...sweep.dimensions.map((name) => el('option', { value: name }, named(name))));
  byId('measure').append(...sweep.measures.map((name) => el('option', { value: name }, name)));
  byId('topic').append(
    ...sweep.topics.map((item) =>
      el(
        'option',
        { value: item.id },
        `${item.id}: ${shown(item.query)} (${count(item.relevant)} of ${count(item.judged)} judged are relevant)`,
      ),
    ),
  );
  byId('topic').addEventListener('change', (event) => chooseTopic(event.target.value, event));

  const onChoice = (id, afresh) =>
    byId(id).addEventListener('change', (event) => {
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
  onChoice('vary', true);
  onChoice('extractor', true);
  onChoice('model', true);
  onChoice('stats', true);
  onChoice('measure', false);

  byId('lift-weights').addEventListener('click', (event) => {
    delete state.weights;
    refresh();
    byId('base-box').querySelector('summary').focus();
    address.show(state, true);
    load({ since: inputMark(event) });
  });

  const fields = baseFields(byId('base'), sweep.dimensions.map((name) => bounds[name]), (name, value, event) => {
    set(state, name, value);
    refresh();
    address.show(state, true);
    load({ since: inputMark(event) });
  });

  const expression = expressionBox(byId('base'), manifest, { state: () => state, asked: base }, (event) => {
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
      field.input.value = numeric(state[field.name]);
    }
    const extractor = byId('extractor');
    const name = state.extractor ?? '';
    if (![...extractor.options].some((option) => option.value === name)) extractor.append(el('option', { value: name }, name));
    extractor.value = name;
    const { extractor: _, ...rest } = base();
    const fixed = { ...rest, ...pick(state, ['weights']) };
    byId('base-words').textContent = sifting(fixed) ? inWords(fixed) : 'none';
    if (sifting(fixed) || 'stats' in state) byId('base-box').open = true;
    byId('base-weights').hidden = !hasWeights(state);
    byId('weights-text').textContent = shown(state.weights ?? '');
    carry('nav-search', '/', { ...base(), ...pick(state, [...RANKED, 'topic']) }, COMMON);
    expression.refresh();
  }

  refresh();
  arrive({ since: performance.now() });
});

function baseFields(host, bounds, changed) {
  const fields = bounds.map((bound) => {
    const input = el('input', {
      id: `base-${bound.name}`,
      type: 'number',
      min: 0,
      max: bound.most,
      step: bound.whole ? 1 : 'any',
      placeholder: 'any',
      onchange: (event) => input.validity.badInput || changed(bound.name, input.value, event),
    });
    const row = el('div', { class: 'field' }, el('label', { for: `base-${bound.name}` }, title(bound)), input);
    return { name: bound.name, input, row };
  });
  host.prepend(...fields.map(({ row }) => row));
  return fields;
}

/** In words how the view could be had. */
function absent(sweep) {
  const host = byId('absent');
  host.hidden = false;
  host.replaceChildren(
    el(
      'p',
      null,
      sweep
        ? 'The server was started with topics, but without judgments, so that nothing can be measured.'
        : 'The server was started without topics and judgments, so that there is nothing to measure.',
    ),
    el('p', null, 'To see what each threshold does to retrieval, start it with both:'),
    el('pre', { tabindex: 0 }, el('code', null, 'trommel serve --index DIR --topics TOPICS --qrels QRELS')),
    el(
      'p',
      null,
      'Topics may be TREC SGML, web-track XML, qid:text, TSV or JSONL; judgments are TREC’s qrels. ',
      el('a', { href: '/' }, 'To the search'),
    ),
  );
  byId('nav-sweep').hidden = false;
  announce('There is nothing to measure.');
  phase('ready');
}
