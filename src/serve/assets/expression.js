// The filter as an expression: shown as it is written, edited by hand, and narrowed by facets.
import { count, el, plural, shown } from './dom.js';
import { channel, get } from './api.js';
import { expressionField } from './field.js';
import { FILTER, set } from './state.js';

const REST_MS = 150;

/**
 * Puts the expression and the facets into `host`. `asked()` gives the parameters of the filter, `state()` is where they are set;
 * `changed(event)` is called after they were changed by hand. Gives `{refresh}`, which shows them.
 */
export function expressionBox(host, manifest, { state, asked }, changed) {
  let parts = [];
  let waiting = 0;

  const field = expressionField({
    id: 'expression',
    name: 'filter',
    label: 'Filter expression',
    placeholder: 'words >= 11 and (link-density <= 0.33 or tag = p)',
    edit: (text, event) => edit({ filter: text }, event),
    left: () => refresh(),
  });
  const known = el(
    'details',
    { class: 'more' },
    el('summary', null, 'What can be compared'),
    el(
      'dl',
      { class: 'attributes' },
      manifest.attributes.map(({ name, label, kind }) => [
        el('dt', null, el('code', null, kind === 'confidence' ? `${name}(EXTRACTOR)` : name)),
        el('dd', null, label),
      ]),
      manifest.extractors.length > 0
        ? [
            el('dt', null, el('code', null, 'EXTRACTOR')),
            el('dd', null, `its verdict: ${manifest.extractors.map(({ name }) => shown(name)).join(', ')}`),
          ]
        : null,
    ),
    el('p', { class: 'note' }, '= != < <= > >=, in 5..10, in (p, li), and, or, not, 2 of (a, b, c), brackets.'),
  );
  const lists = el('div', { class: 'facets' });
  const facets = el(
    'details',
    { class: 'more', ontoggle: () => facets.open && refresh() },
    el('summary', null, 'Facets'),
    lists,
  );
  host.append(field.root, known, facets);

  const shows = channel({
    run: (parameters, signal) => get('/api/filter', parameters, signal),
    done: ({ body }) => show(body),
    // What is wrong with the filter is said where its results would be.
    trouble: () => {},
  });
  const edits = channel({
    run: ({ parameters }, signal) => get('/api/filter', parameters, signal),
    done: ({ body }, { event }) => {
      field.taken();
      for (const name of FILTER) delete state()[name];
      for (const [name, value] of Object.entries(body.short)) set(state(), name, value);
      if (body.parts.length > 0) set(state(), 'filter', body.rest);
      changed(event);
    },
    trouble: field.say,
  });

  /** Takes an expression over, once the server has read it. */
  function edit(parameters, event) {
    edits.ask({ parameters, event });
  }

  function show(answer) {
    parts = answer.parts;
    field.show(answer.filter !== 'unfiltered' ? answer.filter : '');
    if (answer.facets) draw(answer.facets);
  }

  function draw(all) {
    const drawn = all.filter((facet) => facet.values.length > 0).map(list);
    lists.replaceChildren(...(drawn.length > 0 ? drawn : [el('p', { class: 'note' }, 'Nothing is left to choose from.')]));
  }

  function list(facet) {
    const tests = facet.values.map((value) => value.filter);
    const item = (value) => {
      const chosen = parts.includes(value.filter);
      const choose = (event) => {
        const others = parts.filter((part) => !tests.includes(part));
        const all = chosen ? others : [...others, value.filter];
        const { filter: _, ...short } = asked();
        field.taken();
        edit({ ...short, filter: all.map((part) => `(${part})`).join(' and ') }, event);
      };
      return el(
        'li',
        null,
        el(
          'button',
          { type: 'button', 'aria-pressed': String(chosen), onclick: choose },
          el('bdi', null, shown(value.value)),
          ' ',
          el('span', { class: 'n' }, count(value.count)),
        ),
      );
    };
    const rest = facet.count - facet.values.length;
    const name = facet.attribute === 'date' ? 'year' : facet.attribute;
    return el(
      'section',
      { 'aria-label': `${name}: ${facet.of}` },
      el('h3', null, `${name} `, el('span', { class: 'note' }, facet.of)),
      el('ul', null, facet.values.map(item)),
      rest > 0 ? el('p', { class: 'note' }, `and ${plural(rest, 'other value')}`) : null,
    );
  }

  /** Shows the state, once it has come to rest. */
  function refresh() {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      shows.ask(facets.open ? { ...asked(), facets: 'true' } : asked());
    }, REST_MS);
  }
  return { refresh };
}
