// The search view: results as one types, what is shown of them, and what comes of queries that find nothing.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { alert, choice, docids, items, parameter, queryBox, shows, state, status } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };

inBrowser('results come as one types', options, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  await queryBox(page).pressSequentially('rain');
  await shows(page, server, { q: 'rain' });
  await queryBox(page).pressSequentially(' barrel');
  const truth = await shows(page, server, { q: 'rain barrel' });
  assert.ok(truth.found > 10);
  assert.equal(parameter(page, 'q'), 'rain barrel');
});

inBrowser('a result shows title, address, marked words and how much of the page is kept', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=11');
  const truth = await shows(page, server, { q: 'rain barrel', min_words: 11 });
  const [first] = truth.results;
  const item = items(page).first();
  const link = item.getByRole('link', { name: first.title, exact: true });
  assert.equal(await link.count(), 1, 'a link named by the title');
  const text = await item.innerText();
  assert.ok(text.includes(first.url), 'the address');
  assert.ok(text.includes(`${first.blocks_kept}`) && text.includes(`${first.blocks_total}`), 'blocks kept and in total');
  const marked = first.fragments.flatMap((fragment) => fragment.parts.filter((part) => part.match).map((part) => part.text));
  assert.ok(marked.length > 0);
  assert.deepEqual(await item.locator('mark').allTextContents(), marked);
});

inBrowser('the status says how many pages were found, with and without the filter', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=30');
  const truth = await shows(page, server, { q: 'rain barrel', min_words: 30 });
  assert.ok(truth.found < truth.found_unfiltered);
  const text = await until(async () => {
    const text = (await status(page).allInnerTexts()).join(' ');
    return text.includes(`${truth.found}`) && text;
  });
  assert.ok(text.includes(`${truth.found_unfiltered}`), text);
});

inBrowser('an empty query asks for nothing and says what to do', options, async (page) => {
  const searches = [];
  page.on('request', (request) => request.url().includes('/api/search') && searches.push(request.url()));
  await page.goto('/');
  await state(page, 'ready');
  await queryBox(page).fill('rain');
  await shows(page, server, { q: 'rain' });
  const asked = searches.length;
  await queryBox(page).fill('');
  await until(async () => (await items(page).count()) === 0, 'no results');
  assert.equal(parameter(page, 'q') ?? '', '');
  assert.equal(await alert(page).count(), 0);
  await queryBox(page).fill('   ');
  await until(async () => /\S/.test((await status(page).allInnerTexts()).join('')), 'words in the status');
  assert.deepEqual(searches.slice(asked), [], 'searches for nothing');
});

inBrowser('a query that finds nothing says so', options, async (page) => {
  await page.goto('/?q=rain');
  await shows(page, server, { q: 'rain' });
  await queryBox(page).fill('xylophonist');
  await until(async () => (await items(page).count()) === 0, 'no results');
  await state(page, 'ready');
  assert.match((await status(page).allInnerTexts()).join(' '), /\b(no|nothing|none|0)\b/i);
  assert.equal(await alert(page).count(), 0);
});

inBrowser('query syntax is understood, and an error of it shown where it happens',
  { ...options, expected: [/status of 400/] }, async (page) => {
    await page.goto('/');
    await state(page, 'ready');
    await queryBox(page).fill('"rain barrel" AND lid');
    await shows(page, server, { q: '"rain barrel" AND lid' });
    await queryBox(page).fill('(rain AND');
    await state(page, 'error');
    const answer = await fetch(`${server.url}/api/search?q=${encodeURIComponent('(rain AND')}`);
    assert.equal(answer.status, 400);
    const { error } = await answer.json();
    assert.ok((await alert(page).innerText()).includes(error), error);
    assert.deepEqual(await docids(page), [], 'results of another query stand beside the error');
    await queryBox(page).fill('rain AND lid');
    await shows(page, server, { q: 'rain AND lid' });
    assert.equal(await alert(page).count(), 0, 'the error goes when the query is good');
  });

inBrowser('warnings of the server are shown', options, async (page) => {
  const q = 'rain the';
  await page.goto(`/?q=${encodeURIComponent(q)}`);
  const truth = await shows(page, server, { q });
  const text = await page.locator('body').innerText();
  for (const warning of truth.warnings) assert.ok(text.includes(warning), warning);
});

inBrowser('another model ranks otherwise', options, async (page) => {
  await page.goto('/?q=rain+barrel+water');
  await shows(page, server, { q: 'rain barrel water' });
  await choice(page, 'Model').selectOption({ label: /qld/ }).catch(async () => {
    const values = await choice(page, 'Model').locator('option').evaluateAll((options) => options.map((o) => o.value));
    await choice(page, 'Model').selectOption(values.find((value) => value.startsWith('qld')));
  });
  await until(() => parameter(page, 'model')?.startsWith('qld'), 'the model in the address');
  const truth = await shows(page, server, { q: 'rain barrel water', model: parameter(page, 'model') });
  assert.match(truth.model, /^qld/);
});

inBrowser('an extractor filters', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  const all = await shows(page, server, { q: 'rain barrel' });
  await choice(page, 'Extractor').selectOption('boilerpipe-article');
  const truth = await shows(page, server, { q: 'rain barrel', extractor: 'boilerpipe-article' });
  assert.ok(truth.found < all.found);
  assert.equal(parameter(page, 'extractor'), 'boilerpipe-article');
});
