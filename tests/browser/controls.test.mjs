// Sliders, number fields, the address and the browser's history.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { SLIDERS, choice, controls, docids, items, number, parameter, press, queryBox, shows, slider, state } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };

/** Decimals come as they were given: as strings. */
/** The comparison that a parameter is short for. */
const comparison = (key, value) =>
  `${key.slice(4).replaceAll('_', '-')} ${key.startsWith('min_') ? '>=' : '<='} ${value}`;

/** Control, parameter, key that narrows the filter, times, a number typed, and one that is out of range. */
const THRESHOLDS = [
  ['Minimum words', 'min_words', 'ArrowRight', 14, '23', '-5'],
  ['Minimum density', 'min_density', 'ArrowRight', 12, '7.5', '-1'],
  ['Maximum link density', 'max_link_density', 'ArrowLeft', 12, '0.25', '7'],
];

for (const [name, key, arrow, times, typed, outside] of THRESHOLDS) {
  inBrowser(`${name}: the slider changes results, number and address`, options, async (page) => {
    await page.goto('/?q=rain+barrel');
    const before = await shows(page, server, { q: 'rain barrel' });
    await press(slider(page, name), arrow, times);
    const value = await until(() => parameter(page, key), `${key} in the address`);
    await until(async () => Number(parameter(page, key)) === Number(await number(page, name).inputValue()), 'number and address alike');
    const set = parameter(page, key);
    assert.ok(Number(set) > 0, value);
    const after = await shows(page, server, { q: 'rain barrel', [key]: set });
    assert.equal(after.filter, comparison(key, Number(set)));
    assert.notDeepEqual(after.results.map((r) => [r.docid, r.score]), before.results.map((r) => [r.docid, r.score]));
  });

  inBrowser(`${name}: a typed number moves the slider`, options, async (page) => {
    await page.goto('/?q=rain+barrel');
    await shows(page, server, { q: 'rain barrel' });
    const open = await slider(page, name).inputValue();
    await number(page, name).fill(typed);
    await shows(page, server, { q: 'rain barrel', [key]: typed });
    await until(() => Number(parameter(page, key)) === Number(typed), 'the number in the address');
    assert.notEqual(await slider(page, name).inputValue(), open);
    await number(page, name).fill('');
    await shows(page, server, { q: 'rain barrel' });
    await until(() => !parameter(page, key), 'an empty number is no filter');
  });

  inBrowser(`${name}: a number out of range does no harm`,
    { ...options, expected: [/status of 400/] }, async (page) => {
      await page.goto(`/?q=rain+barrel&${key}=${typed}`);
      await shows(page, server, { q: 'rain barrel', [key]: typed });
      await number(page, name).fill(outside);
      // Either words say what is wrong, or the number is brought back into its range.
      await until(async () => {
        const words = await page.locator('html[data-state=error]').count();
        const invalid = await number(page, name).evaluate((field) => field.matches(':invalid, [aria-invalid=true]'));
        return words > 0 || invalid || Number(await number(page, name).inputValue()) !== Number(outside);
      }, 'words or a correction');
      await number(page, name).fill(typed);
      await shows(page, server, { q: 'rain barrel', [key]: typed });
    });
}

inBrowser('sliders go together', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await number(page, 'Minimum words').fill('11');
  await number(page, 'Maximum link density').fill('0.3');
  await number(page, 'Minimum density').fill('6');
  const filter = { min_words: 11, max_link_density: 0.3, min_density: 6 };
  const truth = await shows(page, server, { q: 'rain barrel', ...filter });
  assert.equal(truth.filter, 'words >= 11 and density >= 6 and link-density <= 0.3');
});

inBrowser('results say how they moved against the search without filter', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=40');
  const truth = await shows(page, server, { q: 'rain barrel', min_words: 40 });
  const n = truth.results.findIndex((result) => result.rank_unfiltered !== null && result.rank_unfiltered !== result.rank);
  assert.ok(n >= 0, 'a result that moved');
  const { rank, rank_unfiltered: old } = truth.results[n];
  const text = await items(page).nth(n).innerText();
  assert.match(text, new RegExp(`\\b(${old}|${Math.abs(old - rank)})\\b`));
});

inBrowser('a shared address restores the view', options, async (page, { open }) => {
  await page.goto('/');
  await state(page, 'ready');
  await queryBox(page).fill('rain barrel');
  await shows(page, server, { q: 'rain barrel' });
  await press(slider(page, 'Minimum words'), 'ArrowRight', 9);
  await number(page, 'Maximum link density').fill('0.4');
  await choice(page, 'Extractor').selectOption('bte');
  const words = await number(page, 'Minimum words').inputValue();
  await shows(page, server, { q: 'rain barrel', min_words: words, max_link_density: '0.4', extractor: 'bte' });
  await until(() => parameter(page, 'extractor') === 'bte' && parameter(page, 'min_words') === words);
  const other = await open();
  await other.goto(page.url());
  await until(async () => {
    assert.deepEqual(await docids(other), await docids(page));
    return true;
  });
  assert.deepEqual(await controls(other), await controls(page));
  assert.ok((await docids(other)).length > 0);
});

inBrowser('parameters without a control of their own survive', options, async (page) => {
  const parameters = { q: 'rain', max_words: '60', stats: 'collection', k: '5', from: '2' };
  await page.goto(`/?${new URLSearchParams(parameters)}`);
  await shows(page, server, parameters);
  await number(page, 'Minimum words').fill('3');
  await until(() => parameter(page, 'min_words') === '3');
  for (const key of ['max_words', 'stats']) assert.equal(parameter(page, key), parameters[key], key);
});

inBrowser('back leads from a page to the same results', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=11');
  await shows(page, server, { q: 'rain barrel', min_words: 11 });
  const [url, set] = [page.url(), await controls(page)];
  await items(page).nth(2).getByRole('link').first().click();
  await page.waitForURL('**/page?**');
  await state(page, 'ready');
  await page.goBack();
  await page.waitForURL(url);
  await shows(page, server, { q: 'rain barrel', min_words: 11 });
  assert.deepEqual(await controls(page), set);
});

inBrowser('back and forward step through queries', options, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  for (const q of ['rain', 'compost']) {
    await queryBox(page).fill(q);
    await queryBox(page).press('Enter');
    await shows(page, server, { q });
    await until(() => parameter(page, 'q') === q);
  }
  await page.goBack();
  await shows(page, server, { q: 'rain' });
  assert.equal(await queryBox(page).inputValue(), 'rain');
  await page.goForward();
  await shows(page, server, { q: 'compost' });
  assert.equal(await queryBox(page).inputValue(), 'compost');
});

inBrowser('a drag of a slider leaves few entries in the history', options, async (page) => {
  await page.goto('/?q=rain');
  await shows(page, server, { q: 'rain' });
  const before = await page.evaluate(() => history.length);
  await press(slider(page, 'Minimum words'), 'ArrowRight', 20);
  const words = await number(page, 'Minimum words').inputValue();
  await until(() => parameter(page, 'min_words') === words);
  assert.ok((await page.evaluate(() => history.length)) - before <= 2);
});

inBrowser('all sliders and their numbers have names, ranges and steps', options, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  for (const name of SLIDERS) {
    const { min, max, step } = await slider(page, name).evaluate(({ min, max, step }) => ({ min, max, step }));
    assert.ok(Number(max) > Number(min) && Number(step) > 0, `${name}: ${min} to ${max} by ${step}`);
    assert.equal(await number(page, name).count(), 1, `the number of ${name}`);
  }
});
