// The controls of the block filter: the same on every view.
import { el, percent, shown } from './dom.js';
import { end, histogram, share } from './histogram.js';
import { FILTER, hasFilter, set } from './state.js';

const SLIDERS = [
  { name: 'min_words', label: 'Minimum words', least: true, any: 0, step: 1, unit: 'words', digits: 0 },
  { name: 'min_density', label: 'Minimum text density', least: true, any: 0, step: 0.5, unit: 'a line', digits: 1 },
  {
    name: 'max_link_density',
    label: 'Maximum link density',
    least: false,
    any: 1,
    most: 1,
    step: 0.05,
    unit: 'of the words in links',
    digits: 2,
  },
];
const CONFIDENCE = {
  name: 'min_confidence',
  label: 'Minimum confidence',
  least: true,
  any: 0,
  most: 1,
  step: 0.05,
  unit: 'that it is content',
  digits: 2,
};
const FIELDS = [
  { name: 'max_words', label: 'Maximum words', step: 1 },
  { name: 'max_density', label: 'Maximum text density', step: 'any' },
];

/** A filter in words, for headings and messages. */
export function inWords(state) {
  const parts = [];
  if ('min_words' in state) parts.push(`at least ${state.min_words} words`);
  if ('max_words' in state) parts.push(`at most ${state.max_words} words`);
  if ('min_density' in state) parts.push(`text density at least ${state.min_density}`);
  if ('max_density' in state) parts.push(`text density at most ${state.max_density}`);
  if ('max_link_density' in state) parts.push(`link density at most ${state.max_link_density}`);
  if ('extractor' in state) parts.push(`content for ${state.extractor}`);
  if ('min_confidence' in state) parts.push(`confidence at least ${state.min_confidence}`);
  if (parts.length === 0) return 'all blocks';
  return shown(`blocks ${'extractor' in state && parts.length === 1 ? 'that are' : 'with'} ${parts.join(', ')}`);
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
  for (const spec of SLIDERS) {
    const data = manifest.histograms.find((item) => item.filter === spec.name);
    host.append(slider(spec, data, manifest, state, change, rested, refreshers));
  }
  if (manifest.extractors.some((extractor) => extractor.confidences)) host.append(confidenceSlider());

  // Whose confidences count is for the extractor to say, if there is one: each has a histogram of its own.
  function confidenceSlider() {
    const place = el('div');
    let whose = null;
    let own = [];
    refreshers.push((current) => {
      const name = current.extractor ?? manifest.confidences_of ?? '';
      const data = manifest.extractors.find((extractor) => extractor.name === name)?.confidences;
      if (whose !== name) {
        own = [];
        place.replaceChildren(slider({ ...CONFIDENCE, by: name }, data, manifest, state, change, rested, own));
        whose = name;
      }
      // What the server will refuse can be taken back.
      place.hidden = !data && !(CONFIDENCE.name in current);
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
  for (const spec of FIELDS) {
    const input = el('input', {
      type: 'number',
      id: spec.name,
      min: 0,
      step: spec.step,
      inputmode: 'decimal',
      placeholder: 'any',
      oninput: (event) => input.validity.badInput || change(spec.name, input.value, true, event),
    });
    more.append(el('div', { class: 'field across' }, el('label', { for: spec.name }, spec.label), input));
    refreshers.push((current) => {
      if (document.activeElement !== input || input.value === '') input.value = numeric(current[spec.name]);
      if (spec.name in current) more.open = true;
    });
  }
  rest.append(more);

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
  }
  refresh();
  return { refresh };
}

function slider(spec, data, manifest, state, change, rested, refreshers) {
  const top = data ? end(data) : (spec.most ?? 100);
  const picture = data ? histogram(data, spec.least) : null;
  const hint = `${spec.name}-hint`;
  const range = el('input', {
    type: 'range',
    id: spec.name,
    min: 0,
    max: top,
    step: data?.width ?? spec.step,
    'aria-describedby': hint,
    oninput: (event) => change(spec.name, tidy(range.value, spec), true, event),
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
    step: spec.digits ? 'any' : 1,
    'aria-label': `${spec.label}, number`,
    inputmode: 'decimal',
    oninput: (event) => number.validity.badInput || change(spec.name, number.value, true, event),
    onblur: () => refreshers.forEach((one) => one(state())),
  });
  const reset = el(
    'button',
    {
      type: 'button',
      class: 'reset',
      'aria-label': `Reset ${spec.label.toLowerCase()}`,
      title: 'Reset',
      onclick: (event) => {
        change(spec.name, '', false, event);
        range.focus();
      },
    },
    '↺',
  );
  const unit = spec.name === 'min_density' ? `${manifest.density_unit} ${spec.unit}` : spec.unit;
  const note = el('p', { class: 'note', id: hint });

  let drawn = '';
  refreshers.push((current) => {
    const given = spec.name in current ? Number(current[spec.name]) : spec.any;
    // The address may have what is no number: the server says so.
    const value = Number.isFinite(given) ? given : spec.any;
    const steps = value / Number(step);
    if (Math.abs(steps - Math.round(steps)) > 1e-6) range.step = 'any';
    range.value = value;
    // What is being typed stays as it is typed.
    if (document.activeElement !== number) number.value = Number.isFinite(given) ? (current[spec.name] ?? spec.any) : '';
    reset.hidden = !(spec.name in current);
    range.setAttribute('aria-valuetext', `${current[spec.name] ?? spec.any} ${unit}`);
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
    el('div', { class: 'slider-head' }, el('label', { for: spec.name }, spec.label), reset, number),
    el('div', { class: 'slider-body' }, picture?.root ?? null, range),
    note,
  );
}

// Browsers complain about other values in a number's field.
export const numeric = (value) => (value !== undefined && Number.isFinite(Number(value)) ? value : '');

// 0.15000000000000002 is 0.15
const tidy = (value, spec) => String(Number(Number(value).toFixed(spec.digits)));

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
