// The filter as an expression: it shows what the sliders say, sets them, and is narrowed by facets.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { NARROW, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { blocks, choice, number, parameter, press, shows, slider, state } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };
const expression = (page) => page.getByRole('textbox', { name: 'Filter expression', exact: true });
const facet = (page, name) => page.getByRole('region', { name, exact: true }).getByRole('button');
const says = (page, text) => until(async () => (await expression(page).inputValue()) === text, text);

inBrowser('sliders write the expression', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  await says(page, '');
  await press(slider(page, 'Minimum words'), 'ArrowRight', 11);
  await says(page, 'words >= 11');
  await choice(page, 'Extractor').selectOption('bte');
  await says(page, 'bte and words >= 11');
  await page.getByRole('button', { name: 'Reset the filter' }).click();
  await says(page, '');
});

inBrowser('what is typed moves the sliders', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  const text = 'words >= 20 and (bte or tag = p) and link-density <= 0.3';
  await expression(page).fill(text);
  await until(() => parameter(page, 'min_words') === '20', 'the address');
  const truth = await shows(page, server, { q: 'rain barrel', filter: text });
  assert.ok(truth.found > 0 && truth.found < truth.found_unfiltered);
  assert.equal(await number(page, 'Minimum words').inputValue(), '20');
  assert.equal(await number(page, 'Maximum link density').inputValue(), '0.3');
  assert.equal(parameter(page, 'filter'), 'bte or tag = p');
  assert.equal(await expression(page).inputValue(), text, 'what is typed stays as it is typed');
  await number(page, 'Minimum words').fill('0');
  await shows(page, server, { q: 'rain barrel', filter: '(bte or tag = p) and link-density <= 0.3' });
  await page.goBack();
  await shows(page, server, { q: 'rain barrel', filter: text });
});

inBrowser('an error points at its place', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/?q=rain+barrel');
  const before = await shows(page, server, { q: 'rain barrel' });
  await expression(page).fill('words >= 20 and wrods < 3');
  const note = page.locator('#expression-note');
  await until(async () => /there is no attribute 'wrods'/.test(await note.textContent()), 'words');
  const [line, caret] = (await note.locator('pre').textContent()).split('\n');
  assert.equal(line.indexOf('wrods'), caret.indexOf('^'));
  assert.match(await note.textContent(), /did you mean 'words'/);
  assert.equal(await expression(page).getAttribute('aria-invalid'), 'true');
  await shows(page, server, { q: 'rain barrel' });
  assert.equal(before.filter, 'unfiltered');
  await expression(page).fill('words >= 20');
  await shows(page, server, { q: 'rain barrel', min_words: 20 });
  assert.equal(await note.textContent(), '');
});

inBrowser('facets narrow the filter and widen it again', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=11');
  await shows(page, server, { q: 'rain barrel', min_words: 11 });
  await page.getByText('Facets', { exact: true }).click();
  const hosts = facet(page, 'host: pages');
  await hosts.first().waitFor();
  const truth = await server.json('/api/filter', { min_words: 11, facets: 'true' });
  const wanted = truth.facets.find((one) => one.attribute === 'host');
  const texts = () => hosts.allTextContents();
  assert.deepEqual(await texts(), wanted.values.map(({ value, count }) => `${value} ${count}`));
  await hosts.nth(1).click();
  await says(page, `${wanted.values[1].filter} and words >= 11`);
  const chosen = await shows(page, server, { q: 'rain barrel', min_words: 11, filter: wanted.values[1].filter });
  assert.equal(chosen.kept.pages, wanted.values[1].count);
  // The counts of other hosts stay, so that one of them can be chosen instead.
  await until(async () => (await hosts.nth(1).getAttribute('aria-pressed')) === 'true', 'pressed');
  assert.deepEqual(await texts(), wanted.values.map(({ value, count }) => `${value} ${count}`));
  await hosts.nth(0).click();
  await shows(page, server, { q: 'rain barrel', min_words: 11, filter: wanted.values[0].filter });
  await until(async () => (await hosts.nth(0).getAttribute('aria-pressed')) === 'true', 'pressed');
  await hosts.nth(0).click();
  await until(() => parameter(page, 'filter') === null, 'the address');
  await shows(page, server, { q: 'rain barrel', min_words: 11 });
});

inBrowser('blocks of a page and sweeps take expressions', options, async (page) => {
  const text = 'words >= 5 and not (tag in (li, td))';
  await page.goto(`/page?docid=demo-plot-0004&filter=${encodeURIComponent(text)}`);
  await state(page, 'ready');
  const truth = await server.json('/api/page/demo-plot-0004', { filter: text });
  const kept = truth.blocks.map((block) => String(block.kept));
  assert.ok(kept.includes('true') && kept.includes('false'));
  assert.deepEqual(await blocks(page).evaluateAll((all) => all.map((block) => block.dataset.kept)), kept);
  await page.goto(`/sweep?filter=${encodeURIComponent('tag = p')}`);
  await state(page, 'ready');
  await says(page, 'tag = p');
  assert.equal(await page.locator('#base-words').textContent(), 'blocks with tag = p');
  await expression(page).fill('tag = p and language = en');
  await until(() => parameter(page, 'filter') === 'tag = p and language = en', 'the address');
  await state(page, 'ready');
});

inBrowser('no scrolling sideways at 380 pixels', { ...options, viewport: { ...NARROW, width: 380 } }, async (page) => {
  await page.goto('/?q=rain+barrel&filter=tag+%3D+p+or+tag+%3D+li');
  await state(page, 'ready');
  await page.getByText('Facets', { exact: true }).click();
  await facet(page, 'tag: blocks').first().waitFor();
  const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
  assert.ok(wide <= room, `${wide} of ${room} pixels`);
});
