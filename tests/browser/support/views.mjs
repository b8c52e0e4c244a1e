// The parts of the page by the names that people and their screen readers know them by, and what they show.
import assert from 'node:assert/strict';
import { until } from './browser.mjs';

export const SLIDERS = ['Minimum words', 'Minimum density', 'Maximum link density'];

export const queryBox = (page) => page.getByRole('searchbox', { name: 'Query', exact: true });
export const slider = (page, name) => page.getByRole('slider', { name, exact: true });
export const number = (page, name) => page.getByLabel(`${name}, number`, { exact: true });
export const choice = (page, name) => page.getByRole('combobox', { name, exact: true });
export const results = (page) => page.getByRole('list', { name: 'Results', exact: true });
export const items = (page) => results(page).locator(':scope > li');
export const blocks = (page) => page.getByRole('list', { name: 'Blocks', exact: true }).locator('li[data-block]');
export const alert = (page) => page.getByRole('alert').filter({ visible: true, hasText: /\S/ });
export const status = (page) => page.getByRole('status').filter({ visible: true });

/** Waits until the page says that it is in a state. */
export const state = (page, name) => page.locator(`html[data-state="${name}"]`).waitFor({ state: 'attached' });

/** A parameter of the page's address, null if it is missing. */
export const parameter = (page, name) => new URL(page.url()).searchParams.get(name);

/** The docids of the results, from the addresses of their links to the page view. */
export async function docids(page) {
  return items(page).evaluateAll((items) =>
    items.map((item) => {
      const links = [...item.querySelectorAll('a[href]')].map((link) => new URL(link.href));
      return links.find((url) => url.pathname === '/page')?.searchParams.get('docid') ?? null;
    }),
  );
}

/** Waits until the results are those that the API gives for these parameters. */
export async function shows(page, server, parameters) {
  const truth = await server.json('/api/search', parameters);
  const wanted = truth.results.map((result) => result.docid);
  await until(async () => {
    assert.deepEqual(await docids(page), wanted);
    return true;
  });
  await state(page, 'ready');
  return truth;
}

/** The values of all controls. */
export async function controls(page) {
  const values = [await queryBox(page).inputValue()];
  for (const name of SLIDERS) values.push(await slider(page, name).inputValue(), await number(page, name).inputValue());
  for (const name of ['Extractor', 'Model']) values.push(await choice(page, name).inputValue());
  return values;
}

/** Presses a key on a control some times. */
export async function press(control, key, times = 1) {
  await control.focus();
  for (let n = 0; n < times; n += 1) await control.press(key);
}

const ERROR = { state: 'error', expected: [/status of 40\d/] };

const WEIGHTS = encodeURIComponent('if tag = title then 3 else if tag in (h1, h2) then 4 else if tag = li then 0.2 else 1');

/** All views of the demo collection in the states that look different. */
export const VIEWS = [
  { name: 'search-empty', path: '/' },
  { name: 'search-results', path: '/?q=rain+barrel&min_words=11&max_link_density=0.5' },
  { name: 'search-explained', path: '/?q=rain+barrel&min_words=11&explain=true&k=3' },
  { name: 'search-blocks', path: '/?q=%22rain+barrel%22+AND+lid&unit=block&extractor=bte' },
  { name: 'search-weighted', path: `/?q=rain+barrel&min_words=2&explain=true&k=2&weights=${WEIGHTS}` },
  { name: 'search-topic', path: '/?topic=1&min_words=40' },
  { name: 'search-nothing', path: '/?q=xylophonist&min_words=11' },
  { name: 'search-error', path: '/?q=colour%3Ared', ...ERROR },
  { name: 'page', path: '/page?docid=demo-plot-0004&q=rain+barrel&min_words=11' },
  { name: 'page-compare', path: '/page?docid=demo-plot-0004&q=rain+barrel&extractor=bte&compare=boilerpipe-article' },
  { name: 'page-weighted', path: `/page?docid=demo-plot-0004&q=rain+barrel&min_words=2&weights=${WEIGHTS}` },
  { name: 'page-hidden', path: '/page?docid=demo-plot-0004&min_words=11&hide=true' },
  { name: 'page-error', path: '/page?docid=nobody-0001', ...ERROR },
  { name: 'sweep', path: '/sweep' },
  { name: 'sweep-topic', path: '/sweep?vary=max_link_density&topic=1' },
];

/** Opens a view and waits until it has come to rest. */
export async function visit(page, view) {
  await page.goto(view.path);
  await state(page, view.state ?? 'ready');
}
