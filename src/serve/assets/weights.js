// How much blocks count: controls that write an expression, and the expression itself.
import { byId, el } from './dom.js';
import { channel, get } from './api.js';
import { expressionField } from './field.js';
import { onRest } from './filter.js';
import { set } from './state.js';

// Tags that have a factor of their own in the controls. Titles do not count unless they are named, all other tags count once.
const TAGS = [
  { tags: ['title'], label: 'title' },
  { tags: ['h1', 'h2'], label: 'h1–h2' },
  { tags: ['h3', 'h4', 'h5', 'h6'], label: 'h3–h6' },
  { tags: ['li'], label: 'li' },
  { tags: ['td'], label: 'td' },
];
const usual = (tags) => (tags.includes('title') ? 0 : 1);

// What the floor is where a confidence is chosen: a block that is taken for boilerplate counts little, and not nothing.
const FLOOR = '0.1';

/** A name as it stands in an expression: in quotes unless it is a plain word. */
const named = (name) => (/^[a-z][a-z0-9-]*$/i.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`);

/** The expression of what the controls say; empty if all blocks count alike. */
function written({ of, floor, factors }) {
  const confidence = of && (Number(floor) > 0 ? `max(confidence(${named(of)}), ${floor})` : `confidence(${named(of)})`);
  const counting = factors.filter(({ tags, weight }) => Number(weight) !== usual(tags));
  const choices = counting.map(({ tags, weight }) => {
    const test = tags.length === 1 ? `= ${named(tags[0])}` : `in (${tags.map(named).join(', ')})`;
    return `if tag ${test} then ${weight} else `;
  });
  const byTag = choices.length > 0 ? `${choices.join('')}1` : '';
  return confidence && byTag ? `${confidence} * (${byTag})` : confidence || byTag;
}

/** What the server says where all blocks count alike. */
const ALIKE = { confidence_of: null, floor: null, tags: [] };

/** What the controls say, from what the server does. */
function read(panel) {
  const given = panel.tags;
  const isGiven = (tag) => given.some(({ tags }) => tags.includes(tag));
  const same = (a, b) => a.length === b.length && a.every((tag) => b.includes(tag));
  const kept = TAGS.filter(({ tags }) => !tags.some(isGiven) || given.some((one) => same(one.tags, tags)));
  const own = given.filter((one) => !TAGS.some(({ tags }) => same(one.tags, tags)));
  return {
    of: panel.confidence_of ?? '',
    floor: panel.floor ?? FLOOR,
    factors: [
      ...kept.map(({ tags, label }) => ({ tags, label, weight: given.find((one) => same(one.tags, tags))?.weight ?? usual(tags) })),
      ...own.map(({ tags, weight }) => ({ tags, label: tags.join(', '), weight })),
    ],
  };
}

/**
 * Puts the controls into `host`. `changed(moving, event)` is called after `state` was changed by hand, `rested()` when the slider is
 * let go. Gives `{refresh}`, which shows the state.
 */
export function weightControls(host, manifest, state, changed, rested) {
  const extractors = manifest.extractors.filter((extractor) => extractor.confidences).map(({ name }) => name);
  // The weights that were asked for, their text, and whether the controls can show them; and what the controls say.
  let known = { asked: '', text: '', fits: true };
  let said = read(ALIKE);

  const whose = el(
    'select',
    { id: 'weight-confidence', onchange: (event) => change({ of: whose.value }, false, event) },
    el('option', { value: '' }, 'none'),
    extractors.map((name) => el('option', { value: name }, name)),
  );
  const range = el('input', {
    type: 'range',
    id: 'weight-floor',
    min: 0,
    max: 1,
    step: 0.05,
    oninput: (event) => change({ floor: String(Number(range.value)) }, true, event),
  });
  onRest(range, rested);
  const number = el('input', {
    type: 'number',
    min: 0,
    max: 1,
    step: 'any',
    inputmode: 'decimal',
    'aria-label': 'But at least, number',
    oninput: (event) => number.validity.badInput || change({ floor: String(Number(number.value)) }, true, event),
    onblur: () => draw(),
  });
  const floor = el(
    'div',
    { class: 'slider' },
    el('div', { class: 'slider-head' }, el('label', { for: 'weight-floor' }, 'But at least'), number),
    range,
  );
  const choice = el('div', { class: 'field' }, el('label', { for: 'weight-confidence' }, 'By the confidence of'), whose);
  const without = el('p', { class: 'note' }, 'No extractor of this index says how sure it is, so that only tags make a difference here.');
  const rows = el('div', { class: 'factors' });
  const note = el('p', { class: 'note', role: 'status' });
  const field = expressionField({
    id: 'weight-expression',
    name: 'weights',
    label: 'Weight expression',
    placeholder: 'if tag in (h1, h2) then 4 else 1',
    edit: (weights, event) => edits.ask({ weights, event }),
    left: () => field.show(known.text),
  });
  const remove = el('button', { type: 'button', class: 'lift', onclick: lift }, 'Remove the weights');
  host.append(
    extractors.length > 0 ? '' : without,
    el(
      'fieldset',
      { class: 'factor-box' },
      el('legend', null, 'Times, by tag'),
      rows,
      el('p', { class: 'note' }, 'A title counts only if it is more than 0.'),
    ),
    field.root,
    note,
    el('p', { class: 'note' }, 'Numbers and what filters compare, + - * /, min( , ), max( , ), if FILTER then … else …; 0 to 100.'),
    remove,
  );

  const shows = channel({
    run: (weights, signal) => get('/api/weights', { weights }, signal),
    done: ({ body }, weights) => accept(weights, body.weights ?? '', body.panel),
    trouble: (error, weights) => {
      if (!error) return;
      accept(weights, weights, null);
      field.say(error);
    },
  });
  const edits = channel({
    run: ({ weights }, signal) => get('/api/weights', { weights }, signal),
    done: ({ body }, { event }) => {
      field.taken();
      edit(body.weights ?? '', body.panel, event);
    },
    trouble: field.say,
  });

  /** Forgets what was asked: there is something newer. */
  function stop() {
    shows.stop();
    edits.stop();
  }

  /** Shows weights; `panel` is what the controls can show of them, or null. */
  function accept(asked, text, panel) {
    stop();
    known = { asked, text, fits: panel !== null };
    said = read(panel ?? ALIKE);
    rows.replaceChildren(...said.factors.map(row));
    field.show(text);
    draw();
  }

  /** Takes over what was written. */
  function edit(text, panel, event) {
    accept(text, text, panel);
    set(state(), 'weights', text);
    changed(false, event);
  }

  function lift(event) {
    field.put('');
    edit('', ALIKE, event);
  }

  /** Takes over what a control says. */
  function change(part, moving, event) {
    stop();
    said = { ...said, ...part };
    const text = written(said);
    known = { asked: text, text, fits: true };
    field.put(text);
    set(state(), 'weights', text);
    draw();
    changed(moving, event);
  }

  function row(factor) {
    const input = el('input', {
      type: 'number',
      min: 0,
      max: 100,
      step: 'any',
      inputmode: 'decimal',
      value: factor.weight,
      oninput: (event) => {
        if (input.validity.badInput) return;
        factor.weight = input.value === '' ? usual(factor.tags) : String(Number(input.value));
        change({}, true, event);
      },
    });
    return el('label', null, el('span', null, factor.label), input);
  }

  function draw() {
    const choosable = extractors.length > 0 || said.of !== '';
    if (choosable && !choice.isConnected) host.prepend(choice, floor);
    // An address may name one that the index does not have: it is shown as it stands, and the server says what is wrong.
    if (![...whose.options].some((option) => option.value === said.of)) {
      whose.append(el('option', { value: said.of }, said.of));
    }
    whose.value = said.of;
    floor.hidden = said.of === '';
    range.value = said.floor;
    range.setAttribute('aria-valuetext', `at least ${said.floor}`);
    // What is being typed stays as it is typed.
    if (document.activeElement !== number) number.value = said.floor;
    note.textContent = known.fits ? '' : 'The controls cannot show this expression. To change one of them replaces it.';
    remove.setAttribute('aria-disabled', String(known.text === ''));
    byId('weights-words').textContent = inBrief();
  }

  function inBrief() {
    if (known.text === '') return 'none';
    if (!known.fits) return 'by an expression';
    const byTag = said.factors.some(({ tags, weight }) => Number(weight) !== usual(tags));
    return `by ${[said.of ? 'confidence' : '', byTag ? 'tag' : ''].filter(Boolean).join(' and ')}`;
  }

  function refresh() {
    const weights = state().weights ?? '';
    shows.stop();
    if (weights === known.asked) return;
    if (weights === '') accept('', '', ALIKE);
    else shows.ask(weights);
  }
  accept('', '', ALIKE);
  refresh();
  return { refresh };
}
