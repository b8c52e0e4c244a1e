// The view of one page, block by block: what a filter and each extractor keep of it.
import { address, byId, count, el, foreign, plural, shown } from './dom.js';
import { Trouble, channel, get } from './api.js';
import { COMMON, FILTER, SEARCH, hasWeights, pick, query, read, set, sifting, track } from './state.js';
import { barsSwitch, filterControls, hasFolded, inWords } from './filter.js';
import { announce, begin, busy, carry, foldOnNarrow, inputMark, painted, sayTrouble, shortcuts } from './frame.js';
import { blockItem, columnHeads, shade, times } from './block.js';
import { totals } from './totals.js';
import { weightControls } from './weights.js';

const PART = 300;
// The most that one answer holds.
const MOST = 1000;
// So far an address may lead into a page at once.
const FARTHEST = 5 * MOST;

let state = {};
let wrong = null;
// The blocks that are in the page, in order, and for what they were made.
let shownBlocks = [];
let madeFor = '';
let shownPage = null;
let total = 0;
let current = -1;

begin((manifest) => {
  const NAMES = ['docid', ...SEARCH.filter((name) => !['k', 'from', 'explain'].includes(name)), 'compare', 'hide', 'bars'];
  const ASKED = ['docid', 'q', 'topic', 'literal', ...FILTER, 'weights'];
  ({ state, wrong } = read(NAMES));
  const history_ = track(NAMES, () => {
    ({ state, wrong } = read(NAMES));
    refresh();
    arrive({ since: performance.now() });
  });
  if (!wrong) history_.tidy(state);

  // A block that the address points at is to be there at once.
  const target = /^#block-(\d+)$/.exec(location.hash);
  let first = target ? Math.min(Math.max(Number(target[1]) + 50, PART), FARTHEST) : PART;

  const requests = channel({
    run: fetchParts,
    done: show,
    trouble: (error) => sayTrouble(error, shownBlocks.length > 0),
  });

  /**
   * The parts of the page that are shown, or with `upTo` are to be. A page of many blocks takes several requests; of one with long blocks
   * an answer has fewer than were asked for, and then those from number `least` on can wait.
   */
  async function fetchParts(job, signal) {
    const answers = [];
    for (let from = job.from; from !== null && from < job.upTo; from = answers.at(-1).next) {
      const asked = Math.min(MOST, job.upTo - from);
      const { body } = await get('/api/page', { ...job.parameters, from, count: asked }, signal);
      answers.push(body);
      if (body.blocks.length < asked && body.next >= job.least) break;
    }
    return { ...answers[0], blocks: answers.flatMap((answer) => answer.blocks) };
  }

  function parameters() {
    const asked = pick(state, ASKED);
    if (state.topic) delete asked.q;
    else if (!state.q?.trim()) delete asked.q;
    return asked;
  }

  const purpose = () => JSON.stringify(pick(state, ['docid', 'q', 'topic', 'literal', 'compare', 'extractor']));

  /** Shows what an address says, unless it says what cannot be. */
  function arrive(when) {
    wrong ??= state.docid
      ? null
      : new Trouble('refused', 'docid: this address names no page', 'search, and follow a result’s title');
    if (!wrong) {
      load(when);
      return;
    }
    requests.stop();
    sayTrouble(wrong, shownBlocks.length > 0);
  }

  function load({ since, patient = false, further = 0, then = null }) {
    const ticket = busy();
    const have = shownPage === state.docid ? shownBlocks.length : 0;
    const from = further ? shownBlocks.length : 0;
    const upTo = further ? from + further : Math.max(have, first || PART);
    const least = further ? 0 : Math.max(have, first && target ? Number(target[1]) + 1 : 0);
    requests.ask({ parameters: parameters(), from, upTo, least, since, ticket, further, made: purpose(), then }, patient);
  }

  function show(answer, job) {
    const list = byId('blocks');
    const { compare } = state;
    total = answer.totals.blocks;
    if (job.further || madeFor !== job.made || shownBlocks.length === 0) {
      const made = answer.blocks.map((block) => blockItem(block, answer.extractors, compare, answer.confidences_of));
      if (job.further) {
        list.append(...made.map((one) => one.item));
        shownBlocks.push(...made);
      } else {
        list.replaceChildren(...made.map((one) => one.item));
        shownBlocks = made;
        current = -1;
      }
    } else {
      // The same blocks under another filter: only verdicts and weights change.
      answer.blocks.forEach((block, i) => shownBlocks[i]?.judge(block));
    }
    madeFor = job.made;
    shownPage = job.parameters.docid;
    const weighted = 'weights' in answer;
    list.classList.toggle('weighted', weighted);
    byId('heads').replaceChildren(...columnHeads(answer.extractors, compare, answer.confidences_of, weighted));
    head(answer);
    totals(answer);
    moreBlocks();
    const text = summaryLine(answer);
    byId('summary').textContent = text;
    announce(text);
    painted(job);
    if (target && first) {
      first = 0;
      shownBlocks.find((one) => one.block.block === Number(target[1]))?.item.focus();
    }
    job.then?.();
  }

  function summaryLine({ totals: sums }) {
    const words = `${count(sums.words_kept)} of ${plural(sums.words, 'word')} kept`;
    let text = `${count(sums.blocks_kept)} of ${plural(sums.blocks, 'block')}, ${words}`;
    text += sifting(state) ? `: ${inWords(state)}.` : ': there is no filter.';
    if (state.compare) {
      const { both, mine, theirs } = agreement();
      const of = shownBlocks.length < total ? ` Of the first ${count(shownBlocks.length)} blocks` : ' Of these';
      text += `${of} ${count(both)} kept by both, ${count(mine)} by the filter alone, ${count(theirs)} by ${state.compare} alone.`;
    }
    return text;
  }

  function agreement() {
    const sums = { both: 0, mine: 0, theirs: 0 };
    for (const { item, block } of shownBlocks) {
      const kept = item.dataset.kept === 'true';
      const content = block.labels[state.compare] === true;
      if (kept && content) sums.both += 1;
      else if (kept) sums.mine += 1;
      else if (content) sums.theirs += 1;
    }
    return sums;
  }

  function moreBlocks() {
    const have = shownBlocks.length;
    const host = byId('more-blocks');
    if (have >= total) {
      host.replaceChildren();
      return;
    }
    const next = Math.min(PART, total - have);
    host.replaceChildren(
      `Blocks 0 to ${count(have - 1)} of ${count(total)}. `,
      el(
        'button',
        {
          type: 'button',
          onclick: () => load({ since: performance.now(), further: next, then: () => shownBlocks[have]?.item.focus() }),
        },
        `More blocks (${count(next)})`,
      ),
    );
  }

  /** To the next kept block (`by` 1) or the previous one (-1); on a long page the rest is fetched as needed. */
  function step(by) {
    const focused = shownBlocks.findIndex((one) => one.item.contains(document.activeElement));
    let at = (focused >= 0 ? focused : current) + by;
    while (at >= 0 && at < shownBlocks.length && shownBlocks[at].item.dataset.kept !== 'true') at += by;
    if (at < 0 || at >= shownBlocks.length) {
      if (by > 0 && shownBlocks.length < total) {
        current = shownBlocks.length - 1;
        load({ since: performance.now(), further: Math.min(PART, total - shownBlocks.length), then: () => step(1) });
        return;
      }
      announce(by > 0 ? 'No further kept block.' : 'No kept block before.');
      return;
    }
    current = at;
    shownBlocks[at].item.focus();
  }

  const changed = (moving, event) => {
    const since = inputMark(event);
    history_.show(state, !moving);
    links();
    load({ since, patient: moving });
  };
  const filter = filterControls({ host: byId('sliders'), rest: byId('rest') }, manifest, () => state, changed, history_.settle);
  const refreshBars = barsSwitch(
    byId('rest'),
    () => state,
    () => {
      history_.show(state, true);
      filter.refresh();
    },
  );
  const weights = weightControls(byId('weights'), manifest, () => state, changed, history_.settle);
  byId('filter').addEventListener('submit', (event) => event.preventDefault());
  const compare = byId('compare');
  for (const { name } of manifest.extractors) compare.append(el('option', { value: name }, name));
  compare.addEventListener('change', (event) => {
    set(state, 'compare', compare.value);
    byId('blocks').classList.toggle('compared', 'compare' in state);
    changed(false, event);
  });
  const hide = byId('hide');
  hide.addEventListener('change', () => {
    set(state, 'hide', String(hide.checked));
    byId('blocks').classList.toggle('hiding', hide.checked);
    history_.show(state, true);
  });

  const [forth, back] = [() => step(1), () => step(-1)];
  byId('next').addEventListener('click', forth);
  byId('previous').addEventListener('click', back);
  shortcuts(byId('keys'), { j: forth, n: forth, k: back, p: back });

  function refresh() {
    filter.refresh();
    weights.refresh();
    refreshBars();
    const name = state.compare ?? '';
    if (![...compare.options].some((option) => option.value === name)) delete state.compare;
    compare.value = state.compare ?? '';
    hide.checked = state.hide === 'true';
    byId('blocks').classList.toggle('hiding', hide.checked);
    byId('blocks').classList.toggle('compared', 'compare' in state);
    links();
  }

  function links() {
    const back = byId('back');
    back.href = `/${query(state, SEARCH)}`;
    carry('nav-sweep', '/sweep', state, COMMON);
    back.textContent = state.q || state.topic ? '← Back to the results' : '← To the search';
  }

  refresh();
  foldOnNarrow(
    byId('rest-box'),
    hasFolded(manifest, state),
  );
  foldOnNarrow(byId('totals-box'), false);
  byId('weights-box').open = hasWeights(state);
  arrive({ since: performance.now() });
});

function head(answer) {
  const title = answer.title || answer.docid;
  titleWeight(answer.title_weight);
  document.title = `${shown(title)} · Trommel`;
  if (byId('title').textContent === shown(title) && byId('place').childElementCount) return;
  byId('title').textContent = shown(title);
  byId('place').replaceChildren(foreign(answer.docid, 'bdi', { class: 'docid' }), ' ', answer.url ? address(answer.url) : '');
  const record = byId('record');
  record.replaceChildren();
  if (answer.date)
    record.append(el('time', { datetime: answer.date }, answer.date.replace('T', ' ').replace('Z', ' UTC')), ' · ');
  record.append(foreign(answer.file), `, byte ${count(answer.offset)}`);
}

/** How much the title counts; undefined if titles do not. */
function titleWeight(weight) {
  const host = byId('title-weight');
  host.hidden = weight === undefined;
  if (host.hidden) return;
  host.dataset.shade = shade(weight);
  host.replaceChildren('The title counts as a block:', el('span', { class: 'weight' }, ...times(weight)));
}
