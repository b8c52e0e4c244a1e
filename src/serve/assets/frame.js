// What all views have in common: header, messages, the manifest.
import { byId, count, el, phase, plural, shown } from './dom.js';
import { Trouble, channel, get } from './api.js';
import { told } from './field.js';
import { learnBounds } from './filter.js';
import { learn, query } from './state.js';

/** Says in the alert what went wrong, `null` that nothing is. `kept` tells that results from before are still shown. */
export function sayTrouble(error, kept = false) {
  const alert = byId('alert');
  if (!error) {
    if (alert.childElementCount) alert.replaceChildren();
    return;
  }
  phase('error');
  const again = error.kind === 'gone' || error.kind === 'busy';
  // The message may have lines that show a place: only what is behind it is put into sentences then.
  const message = error.message.includes('\n') ? told(error.message) : [];
  const sentences = [
    message.length > 0 ? '' : error.message,
    error.hint,
    again ? 'Trying again by itself …' : '',
    kept ? 'Shown are the results from before.' : '',
  ]
    .filter(Boolean)
    .map((part) => sentence(shown(part)))
    .join(' ');
  const nodes = sentences ? [...message, el('p', null, sentences)] : message;
  // The same words are not put in again: a screen reader would read them at every attempt.
  if (alert.textContent !== nodes.map((node) => node.textContent).join('')) alert.replaceChildren(...nodes);
}

function sentence(text) {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Whatever is thrown, as a Trouble; what is no such thing is a fault of the page and goes to the console as well. */
function asTrouble(error) {
  if (error instanceof Trouble) return error;
  console.error(error);
  return new Trouble('failed', `This page has a fault: ${error.message}`);
}

// A screen reader hears of the results once things have come to rest, not at every step of a slider.
const QUIET_MS = 700;
let speaking = 0;

/** Puts text into the status region, when nothing newer has come for a moment. */
export function announce(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    const status = byId('status');
    if (status.textContent !== text) status.textContent = text;
  }, QUIET_MS);
}

/** Asks for the manifest until it is there, shows the header's facts, and goes on. */
export function begin(then) {
  const manifest = channel({
    run: (_job, signal) => get('/api/manifest', {}, signal),
    done: ({ body }) => {
      learn(body);
      learnBounds(body);
      header(body);
      Promise.resolve(body)
        .then(then)
        .catch((error) => sayTrouble(asTrouble(error)));
    },
    trouble: (error) => sayTrouble(error),
  });
  manifest.ask(null);
}

function header(manifest) {
  byId('facts').textContent = [
    plural(manifest.pages, 'page'),
    plural(manifest.blocks, 'block'),
    `${count(manifest.terms)} terms`,
    `segmenter ${manifest.segmenter}`,
    `analyzer ${manifest.analyzer}`,
  ].join(' · ');
  const sweep = byId('nav-sweep');
  if (manifest.sweep) sweep.hidden = false;
}

/** Measures the time from an input to the painted results, for whoever looks at the page's performance entries. */
export function inputMark(event) {
  const now = performance.now();
  // When it happened, not when it was heard of; but an event may come without a time of this clock.
  const at = event && event.timeStamp > 0 && event.timeStamp <= now ? event.timeStamp : now;
  performance.mark('trommel:input', { startTime: at });
  return at;
}

/** Lets a link of the header lead to a view with these parameters of a state. */
export function carry(id, path, state, names) {
  byId(id).href = path + query(state, names);
}

let newest = 0;

/** Something was asked for: what is shown is no longer what is set. The ticket goes to `painted` with the answer. */
export function busy() {
  phase('loading');
  newest += 1;
  return newest;
}

/** To be called after an answer was put into the page: waits for the frame that shows it, and then is ready if nothing newer was asked for. */
export function painted({ since, ticket }) {
  requestAnimationFrame(() => {
    // A task that is queued in a frame runs after that frame was painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      performance.measure('trommel:painted', { start: since, end: performance.now() });
      if (ticket === newest) phase('ready');
      port1.close();
    };
    port2.postMessage(null);
  });
}

/** The models to choose from, with feedback and without; one from an address that is not among them is added as it stands. */
export function modelOptions(select, manifest, value) {
  const known = manifest.models.map((model) => model.name);
  if (select.options.length === 0) {
    for (const model of manifest.models) {
      select.append(el('option', { value: model.name, title: model.example }, model.name));
    }
    for (const model of manifest.models) {
      if (model.name.includes('rm3') || known.includes(`${model.name}+rm3`)) continue;
      select.append(el('option', { value: `${model.name}+rm3` }, `${model.name}+rm3 (feedback)`));
    }
  }
  if (![...select.options].some((option) => option.value === value)) select.append(el('option', { value }, value));
  select.value = value;
}

/** Closes a disclosure where the screen is so narrow that it would push the results far down; opens it where there is room. */
export function foldOnNarrow(details, needed) {
  const narrow = matchMedia('(max-width: 800px)');
  details.open = !narrow.matches || needed;
  narrow.addEventListener('change', () => {
    if (!narrow.matches) details.open = true;
  });
}

/**
 * Keys of one character, as `{key: action}`. They can be switched off by the check box, for those who talk to their computer or
 * type by accident; all that they do can be had without them.
 */
export function shortcuts(box, keys) {
  // Storage may be forbidden: then the choice holds for this page alone.
  const store = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };
  box.checked = store((storage) => storage.getItem('trommel.keys')) !== 'off';
  box.addEventListener('change', () => store((storage) => storage.setItem('trommel.keys', box.checked ? 'on' : 'off')));
  document.addEventListener('keydown', (event) => {
    if (!box.checked || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    if (event.target.closest('input:not([type=range], [type=checkbox]), textarea, select')) return;
    event.preventDefault();
    keys[event.key]();
  });
}
