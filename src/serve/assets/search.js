// The search page: results as one types, under a filter that moves with the sliders.
import { byId, count, el, foreign, percent, plural, shown } from './dom.js';
import { channel, get } from './api.js';
import { COMMON, FILTER, RANKING, SEARCH, hasFilter, hasWeights, pick, read, set, sifting, track } from './state.js';
import { barsSwitch, filterControls, hasFolded, inWords } from './filter.js';
import { announce, begin, busy, carry, foldOnNarrow, inputMark, modelOptions, painted, sayTrouble, shortcuts } from './frame.js';
import { result } from './result.js';
import { weightControls } from './weights.js';

const TYPING_MS = 120;
const PAGE = 10;
const MOST = 100;
const FARTHEST = 1000;

let state = {};
let wrong = null;
let typing = 0;

begin((manifest) => {
  const NAMES = [...SEARCH, 'bars'];
  ({ state, wrong } = read(NAMES));
  const address = track(NAMES, () => {
    ({ state, wrong } = read(NAMES));
    refresh();
    arrive({ since: performance.now() });
  });
  if (!wrong) address.tidy(state);

  const requests = channel({
    run: (job, signal) => get('/api/search', job.parameters, signal),
    done: ({ body }, job) => show(body, job),
    trouble: (error) => {
      const kept = byId('results').childElementCount > 0;
      sayTrouble(error, kept);
      if (error && !kept) byId('summary').replaceChildren(el('p', { class: 'quiet' }, 'Nothing is shown.'));
      // Errors of parameters begin with their names.
      if (error?.kind === 'refused' && !/^(?!q:)\w+: /.test(error.message)) byId('q').setAttribute('aria-invalid', 'true');
    },
  });

  /** Shows what an address says, unless it says what cannot be. */
  function arrive(when) {
    if (!wrong) {
      search(when);
      return;
    }
    requests.stop();
    sayTrouble(wrong, byId('results').childElementCount > 0);
  }

  /** Asks for what the state says. `patient` while something moves; `append` adds to the results that stand there. */
  function search({ since, patient = false, append = false }) {
    byId('q').removeAttribute('aria-invalid');
    carry('nav-sweep', '/sweep', state, COMMON);
    const ticket = busy();
    if (!state.q?.trim() && !state.topic) {
      requests.stop();
      sayTrouble(null);
      document.title = 'Search · Trommel';
      welcome(manifest, state);
      announce('No query.');
      painted({ since, ticket });
      return;
    }
    const parameters = pick(state, SEARCH);
    if (state.topic) delete parameters.q;
    const from = Number(state.from ?? 0);
    const have = byId('results').childElementCount;
    if (append) Object.assign(parameters, { from: from + have, k: Number(state.k) - have });
    requests.ask({ parameters, since, ticket, append, asked: { ...state } }, patient);
  }

  function changed(moving, event) {
    const since = inputMark(event);
    // A list that had grown starts anew: its tail would cost time at every step.
    delete state.k;
    delete state.from;
    address.show(state, !moving);
    search({ since, patient: moving });
  }

  function show(answer, job) {
    const list = byId('results');
    const items = answer.results.map((one) => result(one, answer, job.asked, { explain, level: manifest.sweep?.level }));
    if (job.append) list.append(...items);
    else list.replaceChildren(...items);
    list.start = Number(job.asked.from ?? 0) + 1;
    // The list of a topic stands for a query that the box does not hold.
    if (job.asked.topic) byId('q').value = answer.query;
    document.title = `${shown(answer.query)} · Trommel`;
    const text = summary(manifest, answer, job.asked, lift);
    announce(text);
    paging(answer, job.asked);
    if (job.append) list.children[list.childElementCount - items.length]?.querySelector('a')?.focus();
    painted(job);
  }

  function explain(one, asked) {
    const parameters = { ...pick(asked, SEARCH), from: one.rank - 1, k: 1, explain: 'true' };
    if (asked.topic) delete parameters.q;
    return get('/api/search', parameters).then(({ body }) => body.results.find((item) => item.docid === one.docid)?.explain);
  }

  function lift(event) {
    for (const name of [...FILTER, 'weights']) delete state[name];
    refresh();
    changed(false, event);
    byId('q').focus();
  }

  function paging(answer, asked) {
    const from = Number(asked.from ?? 0);
    const have = byId('results').childElementCount;
    const go = (changes) => (event) => {
      const since = inputMark(event);
      const append = 'k' in changes;
      for (const [name, value] of Object.entries(changes)) set(state, name, String(value));
      address.show(state, true);
      search({ since, append });
      if (!append) byId('main').scrollIntoView();
    };
    const buttons = [];
    if (from > 0) {
      buttons.push(el('button', { type: 'button', onclick: go({ from: Math.max(from - MOST, 0) }) }, 'Earlier results'));
    }
    if (from + have < answer.found && have > 0) {
      if (have < MOST) {
        const next = Math.min(PAGE, MOST - have, answer.found - from - have);
        buttons.push(el('button', { type: 'button', onclick: go({ k: have + next }) }, 'More results'));
      } else if (from + have <= FARTHEST) {
        buttons.push(el('button', { type: 'button', onclick: go({ from: from + have }) }, 'Further results'));
      } else {
        buttons.push('Further ones are not listed here; trommel run writes them.');
      }
    }
    byId('paging').replaceChildren(
      ...(have ? [`${count(from + 1)} to ${count(from + have)} of ${count(answer.found)} `] : []),
      ...buttons,
    );
  }

  const filter = filterControls({ host: byId('sliders'), rest: byId('rest') }, manifest, () => state, changed, address.settle);
  const refreshBars = barsSwitch(
    byId('rest'),
    () => state,
    () => {
      address.show(state, true);
      filter.refresh();
    },
  );
  const weights = weightControls(byId('weights'), manifest, () => state, changed, address.settle);
  byId('filter').addEventListener('submit', (event) => event.preventDefault());
  const topics = manifest.sweep?.topics ?? [];

  function refresh() {
    filter.refresh();
    weights.refresh();
    refreshBars();
    const q = byId('q');
    if (document.activeElement !== q || !state.topic) q.value = state.q ?? '';
    modelOptions(byId('model'), manifest, state.model ?? 'bm25');
    byId('model-text').value = state.model ?? '';
    byId('stats').value = state.stats ?? 'subset';
    byId('unit').value = state.unit ?? 'page';
    byId('literal').checked = state.literal === 'true';
    byId('explain').checked = state.explain === 'true';
    if (topics.length) byId('topic').value = state.topic ?? '';
    if (['stats', 'unit', 'literal', 'explain', 'topic'].some((name) => name in state)) byId('options').open = true;
  }

  if (topics.length) {
    byId('topic-field').hidden = false;
    byId('topic').append(
      el('option', { value: '' }, 'none'),
      ...topics.map((topic) => el('option', { value: topic.id }, `${topic.id}: ${topic.query}`)),
    );
  }
  const choice = (id, name, value) =>
    byId(id).addEventListener('change', (event) => {
      set(state, name, value(event.target));
      refresh();
      changed(false, event);
    });
  choice('model', 'model', (select) => select.value);
  choice('model-text', 'model', (input) => input.value.trim());
  choice('stats', 'stats', (select) => select.value);
  choice('unit', 'unit', (select) => select.value);
  choice('literal', 'literal', (box) => String(box.checked));
  choice('explain', 'explain', (box) => String(box.checked));
  byId('topic').addEventListener('change', (event) => {
    const topic = topics.find((item) => item.id === event.target.value);
    set(state, 'topic', topic?.id);
    if (topic) delete state.q;
    changed(false, event);
  });

  const q = byId('q');
  q.addEventListener('input', (event) => {
    const since = inputMark(event);
    set(state, 'q', q.value);
    delete state.topic;
    delete state.k;
    delete state.from;
    if (topics.length) byId('topic').value = '';
    busy();
    clearTimeout(typing);
    typing = setTimeout(() => {
      address.show(state, false);
      search({ since });
    }, TYPING_MS);
  });
  const submit = (event) => {
    event.preventDefault();
    clearTimeout(typing);
    if (!state.topic) set(state, 'q', q.value);
    address.show(state, true);
    search({ since: inputMark(event) });
  };
  byId('form').addEventListener('submit', submit);

  shortcuts(byId('keys'), {
    '/': () => {
      q.focus();
      q.select();
    },
  });

  // What was typed before the manifest came is not lost.
  const early = q.value;
  if (early && early !== (state.q ?? '') && !state.topic) set(state, 'q', early);
  refresh();
  foldOnNarrow(
    byId('rest-box'),
    hasFolded(manifest, state) || RANKING.some((name) => name in state),
  );
  byId('weights-box').open = hasWeights(state);
  if (!state.q && !state.topic && matchMedia('(pointer: fine)').matches) q.focus();
  arrive({ since: performance.now() });
});

/** The line above the results. Gives it as text, too. */
function summary(manifest, answer, asked, lift) {
  const host = byId('summary');
  const what = answer.unit === 'block' ? 'block' : 'page';
  const sifted = sifting(asked);
  const found = `${plural(answer.found, what)} found`;
  const lines = [];
  if (answer.found > 0) {
    lines.push(
      sifted
        ? `${found} in ${inWords(asked)}; ${count(answer.found_unfiltered)} without ${sifted}.`
        : `${found}. There is no filter.`,
    );
  } else if (answer.found_unfiltered > 0) {
    lines.push(
      `Nothing found in ${inWords(asked)}. Without ${sifted} ${plural(answer.found_unfiltered, what)} would be: it is ${sifted}.`,
    );
  } else {
    lines.push(
      sifted
        ? `Nothing found, neither with ${sifted} nor without: it is the query.`
        : 'Nothing found: no page answers this query.',
    );
  }
  const nodes = [el('p', null, el('strong', null, lines[0]))];
  if (answer.found === 0 && answer.found_unfiltered > 0) {
    nodes[0].append(' ', el('button', { type: 'button', onclick: lift }, `Lift ${sifted}`));
  }
  if (hasFilter(asked) && answer.kept) {
    const kept = ['pages', 'blocks', 'terms'].map((name) => `${percent(answer.kept[name], manifest[name])} of ${name}`);
    lines.push(`The filter keeps ${kept.join(', ')}.`);
    nodes.push(el('p', { class: 'quiet' }, lines[1]));
  }
  for (const warning of answer.warnings) nodes.push(el('p', { class: 'warning' }, 'Note: ', foreign(warning), '.'));
  host.replaceChildren(...nodes);
  return [...lines, ...answer.warnings].join(' ');
}

/** What stands there before a query. */
function welcome(manifest, state) {
  byId('results').replaceChildren();
  byId('paging').replaceChildren();
  const examples = [
    ['rain barrel', 'any of the words'],
    ['"rain barrel"', 'side by side in one block'],
    ['rain AND (barrel OR tank)', 'OR, NOT and (groups) likewise'],
    ['+rain barrel -plastic', 'must, may, must not'],
    ['rain title:storm', 'on pages with storm in the title; url: likewise'],
  ];
  byId('summary').replaceChildren(
    el(
      'p',
      null,
      el('strong', null, `Type a query to search ${plural(manifest.pages, 'page')}`),
      sifting(state) ? ` in ${inWords(state)}.` : '.',
    ),
    el('p', null, 'The sliders say which text blocks count: results are ranked exactly as if the others had never been indexed.'),
    el(
      'table',
      { class: 'syntax' },
      el('caption', null, 'Queries'),
      el(
        'tbody',
        null,
        examples.map(([query, says]) =>
          el('tr', null, el('th', { scope: 'row' }, el('code', null, query)), el('td', null, says)),
        ),
      ),
    ),
    el('p', { class: 'quiet' }, 'The key ', el('kbd', null, '/'), ' leads to the query box.'),
  );
}
