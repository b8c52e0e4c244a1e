// What a view shows, as the parameters of its address. A state is an object of strings; what has its default value is not in it,
// and so not in the address.
import { Trouble } from './api.js';

/** The parameters of the filter, of a search, and those that a search and a sweep have in common: known once the manifest is. */
export let FILTER = [];
export let SEARCH = [];
export let COMMON = [];
export const RANKING = ['model', 'stats', 'unit'];

const DEFAULTS = {
  model: 'bm25',
  stats: 'subset',
  unit: 'page',
  literal: 'false',
  explain: 'false',
  weights: '1',
  k: 10,
  from: 0,
  hide: 'false',
  bars: 'words',
};

/** Takes over from the manifest which bounds there are. */
export function learn({ bounds }) {
  FILTER = ['filter', 'extractor', ...bounds.map(({ name }) => name)];
  SEARCH = ['q', 'topic', 'literal', ...FILTER, 'weights', ...RANKING, 'k', 'from', 'explain'];
  COMMON = [...FILTER, 'weights', 'model', 'stats', 'topic'];
  for (const bound of bounds) DEFAULTS[bound.name] = any(bound);
}

/** The threshold of a bound that every block keeps; undefined if there is none. */
export const any = (bound) => (bound.least ? 0 : (bound.most ?? undefined));

/** Whether a value is as none. Numbers are compared as such: 0.0 is 0. */
function isDefault(name, value) {
  if (value === undefined || value === '') return true;
  const standard = DEFAULTS[name];
  return typeof standard === 'number' ? value.trim() !== '' && Number(value) === standard : value === standard;
}

/** Only the named parameters of a state. */
export function pick(state, names) {
  return Object.fromEntries(names.filter((name) => name in state).map((name) => [name, state[name]]));
}

export const hasFilter = (state) => FILTER.some((name) => name in state);

export const hasWeights = (state) => 'weights' in state;

/** What makes blocks count differently, in words; empty where all count alike. */
export const sifting = (state) =>
  [hasFilter(state) ? 'the filter' : '', hasWeights(state) ? 'the weights' : ''].filter(Boolean).join(' and ');

/** Sets one parameter, or takes it out where it has its default. */
export function set(state, name, value) {
  if (isDefault(name, value)) delete state[name];
  else state[name] = value;
}

/**
 * The state that the address bar holds. Values are taken as they stand: the server is the one to judge them. `wrong` says what the
 * address has that is no parameter of this view, or has twice, as the server would.
 */
export function read(names) {
  const given = [...new URLSearchParams(location.search)].filter(([, value]) => value !== '');
  const state = {};
  let wrong = null;
  for (const [name, value] of given) {
    if (!names.includes(name))
      wrong ??= new Trouble('refused', `${name}: there is no such parameter`, `there are ${names.join(', ')}`);
    else if (given.filter(([other]) => other === name).length > 1)
      wrong ??= new Trouble('refused', `${name}: it stands twice in the address`);
    else set(state, name, value);
  }
  return { state, wrong };
}

/** A state as the query of an address, parameters in a fixed order. */
export function query(state, names) {
  const text = new URLSearchParams(names.filter((name) => name in state).map((name) => [name, state[name]])).toString();
  return text ? `?${text}` : '';
}

// Browsers refuse addresses that change too often.
const WRITE_MS = 200;
const SETTLE_MS = 1000;

/**
 * Keeps the address bar at the state. The first change of a movement (a drag, a spell of typing) makes a new entry of the history,
 * further ones replace it until the movement settles; so "back" leads to what was there before the movement.
 */
export function track(names, restore) {
  let moving = false;
  let writing = 0;
  let settling = 0;
  let wanted = null;

  function flush() {
    clearTimeout(writing);
    writing = 0;
    if (wanted !== null) history.replaceState(null, '', wanted);
    wanted = null;
  }
  function settle() {
    clearTimeout(settling);
    flush();
    moving = false;
  }
  window.addEventListener('popstate', () => {
    clearTimeout(settling);
    clearTimeout(writing);
    writing = 0;
    wanted = null;
    moving = false;
    restore();
  });
  window.addEventListener('pagehide', flush);
  // Another control, or the same one taken up again, begins another movement.
  for (const name of ['focusin', 'pointerdown']) document.addEventListener(name, settle, true);
  return {
    /** Shows a state that is still moving, or with `settled` has come to rest. */
    show(state, settled) {
      const target = location.pathname + query(state, names);
      if (target !== (wanted ?? location.pathname + location.search)) {
        if (moving) {
          wanted = target;
          writing ||= setTimeout(flush, WRITE_MS);
        } else {
          history.pushState(null, '', target);
          moving = true;
        }
      }
      clearTimeout(settling);
      if (settled) settle();
      else settling = setTimeout(settle, SETTLE_MS);
    },
    settle,
    /** Puts an address that says the same in its own words into ours, without a new entry. */
    tidy(state) {
      history.replaceState(null, '', location.pathname + query(state, names) + location.hash);
    },
  };
}
