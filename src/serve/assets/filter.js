// The controls of the block filter: the same on every view.
import { el, percent, shown } from './dom.js';
import { end, histogram, share } from './histogram.js';
import { expressionBox } from './expression.js';
import { FILTER, any, hasFilter, hasWeights, pick, set } from './state.js';

/** What a bound is called: "Minimum link density". */
export const title = (bound) => `${bound.least ? 'Minimum' : 'Maximum'} ${bound.attribute.replaceAll('-', ' ')}`;

// Bounds by their parameters.
let known = {};

function boundInWords(bound, value) {
  const [which, name] = [bound.least ? 'at least' : 'at most', bound.attribute.replaceAll('-', ' ')];
  return bound.whole ? `${which} ${value} ${name}` : `${name} ${which} ${value}`;
}

/** Filter and weights in words, for headings and messages; what the weights are is too long for these. */
export function inWords(state) {
  const parts = FILTER.filter((name) => name in state && name in known).map((name) => boundInWords(known[name], state[name]));
  if ('extractor' in state) parts.push(`content for ${state.extractor}`);
  if ('filter' in state) parts.push(state.filter);
  const weighted = hasWeights(state) ? ', weighted' : '';
  if (parts.length === 0) return `all blocks${weighted}`;
  return shown(`blocks ${'extractor' in state && parts.length === 1 ? 'that are' : 'with'} ${parts.join(', ')}${weighted}`);
}

/** Whether a state sets what has no slider. */
export const hasFolded = (manifest, state) =>
  ['filter', 'extractor', ...manifest.bounds.filter(({ slider }) => !slider).map(({ name }) => name)].some(
    (name) => name in state,
  );

/** Makes the bounds known to `inWords`. */
export function learnBounds(manifest) {
  known = Object.fromEntries(manifest.bounds.map((bound) => [bound.name, bound]));
}

/**
 * Calls `rested` when a slider is let go. Arrow keys fire `change` at every step, and are no such thing: what is moved with them
 * comes to rest by and by.
 */
export function onRest(range, rested) {
  let held = false;
  range.addEventListener('pointerdown', () => {
    held = true;
  });
  range.addEventListener('keydown', () => {
    held = false;
  });
  range.addEventListener('change', () => held && rested());
}

/**
 * Puts the sliders into `host`, the rest into `rest`. `changed(moving, event)` is called after `state` was changed by hand; `moving` while a slider is
 * held or a number typed, and then `rested()` when a slider is let go. Gives `{refresh}`, which shows the state.
 */
export function filterControls({ host, rest }, manifest, state, changed, rested) {
  const refreshers = [];
  const change = (name, value, moving, event) => {
    set(state(), name, value);
    refresh();
    changed(moving, event);
  };
  const sliders = manifest.bounds.filter((bound) => bound.slider);
  for (const bound of sliders.filter((one) => !one.by_extractor)) {
    const data = manifest.histograms.find((item) => item.filter === bound.name);
    host.append(slider(bound, data, state, change, rested, refreshers));
  }
  if (manifest.analyzer === 'cjk') {
    host.append(
      el('p', { class: 'note' }, 'Words say little of text that has no spaces between them: bound chars in the filter expression.'),
    );
  }
  if (manifest.extractors.some((extractor) => extractor.confidences)) {
    host.append(...sliders.filter((one) => one.by_extractor).map(sliderByExtractor));
  }

  // Whose confidences count is for the extractor to say, if there is one: each has a histogram of its own.
  function sliderByExtractor(bound) {
    const place = el('div');
    let whose = null;
    let own = [];
    refreshers.push((current) => {
      const name = current.extractor ?? manifest.confidences_of ?? '';
      const data = manifest.extractors.find((extractor) => extractor.name === name)?.confidences;
      if (whose !== name) {
        own = [];
        place.replaceChildren(slider({ ...bound, by: name }, data, state, change, rested, own));
        whose = name;
      }
      // What the server will refuse can be taken back.
      place.hidden = !data && !(bound.name in current);
      for (const one of own) one(current);
    });
    return place;
  }

  const names = manifest.extractors.map((extractor) => extractor.name);
  const extractor = el('select', { id: 'extractor', onchange: (event) => change('extractor', extractor.value, false, event) });
  if (names.length > 0) {
    extractor.append(el('option', { value: '' }, 'none: thresholds alone'));
    for (const { name, content_blocks } of manifest.extractors) {
      extractor.append(el('option', { value: name }, `${name} (${percent(content_blocks, manifest.blocks)} of blocks)`));
    }
    rest.append(el('div', { class: 'field' }, el('label', { for: 'extractor' }, 'Extractor'), extractor));
    refreshers.push((current) => {
      const value = current.extractor ?? '';
      // An address may name one that the index does not have: it is shown as it stands, and the server says what is wrong.
      if (value && !names.includes(value) && ![...extractor.options].some((option) => option.value === value)) {
        extractor.append(el('option', { value }, value));
      }
      extractor.value = value;
    });
  }

  const more = el('details', { class: 'more' }, el('summary', null, 'More thresholds'));
  const fields = manifest.bounds.filter((bound) => !bound.slider && !bound.by_extractor);
  for (const spec of fields) {
    const input = el('input', {
      type: 'number',
      id: spec.name,
      min: 0,
      max: spec.most,
      step: spec.whole ? 1 : 'any',
      inputmode: 'decimal',
      placeholder: 'any',
      oninput: (event) => input.validity.badInput || change(spec.name, input.value, true, event),
    });
    more.append(el('div', { class: 'field across' }, el('label', { for: spec.name }, title(spec)), input));
    refreshers.push((current) => {
      if (document.activeElement !== input || input.value === '') input.value = numeric(current[spec.name]);
      if (spec.name in current) more.open = true;
    });
  }
  rest.append(more);

  const expression = expressionBox(rest, manifest, { state, asked: () => pick(state(), FILTER) }, (event) => {
    refresh();
    changed(false, event);
  });
  const lift = el(
    'button',
    {
      type: 'button',
      class: 'lift',
      onclick: (event) => {
        for (const name of FILTER) delete state()[name];
        refresh();
        changed(false, event);
      },
    },
    'Reset the filter',
  );
  rest.append(lift);

  function refresh() {
    const current = state();
    for (const one of refreshers) one(current);
    // Not `disabled`: whoever has just pressed it would lose the focus.
    lift.setAttribute('aria-disabled', String(!hasFilter(current)));
    expression.refresh();
  }
  refresh();
  return { refresh };
}

function slider(spec, data, state, change, rested, refreshers) {
  const top = data ? end(data) : spec.end;
  const idle = any(spec) ?? top;
  const picture = data ? histogram(data, spec.least) : null;
  const hint = `${spec.name}-hint`;
  const range = el('input', {
    type: 'range',
    id: spec.name,
    min: 0,
    max: top,
    step: data?.width ?? spec.step,
    'aria-describedby': hint,
    oninput: (event) => change(spec.name, tidy(range.value), true, event),
  });
  // A typed value may lie between the slider's steps: the thumb is put there, until the slider is moved again.
  const { step } = range;
  const ontoSteps = () => {
    range.step = step;
  };
  range.addEventListener('pointerdown', ontoSteps);
  range.addEventListener('keydown', ontoSteps);
  onRest(range, rested);
  const number = el('input', {
    type: 'number',
    min: 0,
    max: spec.most,
    step: spec.whole ? 1 : 'any',
    'aria-label': `${title(spec)}, number`,
    inputmode: 'decimal',
    oninput: (event) => number.validity.badInput || change(spec.name, number.value, true, event),
    onblur: () => refreshers.forEach((one) => one(state())),
  });
  const reset = el(
    'button',
    {
      type: 'button',
      class: 'reset',
      'aria-label': `Reset ${title(spec).toLowerCase()}`,
      title: 'Reset',
      onclick: (event) => {
        change(spec.name, '', false, event);
        range.focus();
      },
    },
    '↺',
  );
  const note = el('p', { class: 'note', id: hint });

  let drawn = '';
  refreshers.push((current) => {
    const given = spec.name in current ? Number(current[spec.name]) : idle;
    // The address may have what is no number: the server says so.
    const value = Number.isFinite(given) ? given : idle;
    const steps = value / Number(step);
    if (Math.abs(steps - Math.round(steps)) > 1e-6) range.step = 'any';
    range.value = value;
    // What is being typed stays as it is typed.
    if (document.activeElement !== number) number.value = Number.isFinite(given) ? (current[spec.name] ?? idle) : '';
    reset.hidden = !(spec.name in current);
    range.setAttribute('aria-valuetext', boundInWords(spec, current[spec.name] ?? idle));
    if (!picture) return;
    const what = current.bars === 'blocks' ? 'blocks' : 'words';
    if (drawn !== what) picture.draw(what);
    drawn = what;
    picture.cut(value);
    note.textContent = `${spec.by ? `${shown(spec.by)}: ` : ''}${keeps(data, given, spec, top)}`;
  });
  return el(
    'div',
    { class: 'slider' },
    el('div', { class: 'slider-head' }, el('label', { for: spec.name }, title(spec)), reset, number),
    el('div', { class: 'slider-body' }, picture?.root ?? null, range),
    note,
  );
}

// Browsers complain about other values in a number's field.
export const numeric = (value) => (value !== undefined && Number.isFinite(Number(value)) ? value : '');

// 0.15000000000000002 is 0.15
const tidy = (value) => String(Number(Number(value).toFixed(4)));

function keeps(data, value, spec, top) {
  if (!Number.isFinite(value) || value < 0) return 'no such threshold';
  if (spec.least ? value <= 0 : value >= top) return 'keeps every block';
  if (value > top) return `the diagram ends at ${top}`;
  const { blocks, words } = share(data, value, spec.least);
  return `keeps ${percent(...blocks)} of blocks, ${percent(...words)} of words`;
}

/** What the diagrams behind the sliders show, with a switch. */
export function barsSwitch(host, state, changed) {
  const choice = el(
    'select',
    {
      id: 'bars',
      onchange: () => {
        set(state(), 'bars', choice.value);
        changed();
      },
    },
    el('option', { value: 'words' }, 'words'),
    el('option', { value: 'blocks' }, 'blocks'),
  );
  host.append(
    el(
      'p',
      { class: 'note bars-note' },
      el('label', { for: 'bars' }, 'Bars: '),
      choice,
      ` at each value, on a root scale. Hatched: dropped. The last bar of a minimum holds all above it.`,
    ),
  );
  return () => {
    choice.value = state().bars === 'blocks' ? 'blocks' : 'words';
  };
}
