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
  await until(() => parameter(page, 'q') === 'rain barrel', 'the query in the address');
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
  const marked = first.fragments.flatMap((fragment) => fragment.parts.filter((_, i) => i % 2 === 1));
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
  await until(() => !parameter(page, 'q'), 'no query in the address');
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
  await until(async () => /\b(no|nothing|none|0)\b/i.test((await status(page).allInnerTexts()).join(' ')), 'words in the status');
  await state(page, 'ready');
  assert.equal(await alert(page).count(), 0);
});

inBrowser('query syntax is understood, and an error of it shown where it happens',
  { ...options, expected: [/status of 400/] }, async (page) => {
    await page.goto('/');
    await state(page, 'ready');
    await queryBox(page).fill('"rain barrel" AND lid');
    await shows(page, server, { q: '"rain barrel" AND lid' });
    await queryBox(page).fill('colour:red');
    await state(page, 'error');
    const answer = await fetch(`${server.url}/api/search?q=${encodeURIComponent('colour:red')}`);
    assert.equal(answer.status, 400);
    const { error } = await answer.json();
    const words = await alert(page).innerText();
    assert.ok(words.includes(error), error);
    // Results that still stand there are those of another query, which has to be said.
    assert.ok((await docids(page)).length === 0 || /before|older|previous/i.test(words), words);
    await queryBox(page).fill('rain AND lid');
    await shows(page, server, { q: 'rain AND lid' });
    assert.equal(await alert(page).count(), 0, 'the error goes when the query is good');
  });

inBrowser('warnings of the server are shown', options, async (page) => {
  const q = '(rain AND';
  await page.goto(`/?${new URLSearchParams({ q })}`);
  const truth = await shows(page, server, { q });
  assert.equal(truth.warnings.length, 2);
  const text = await page.locator('main').innerText();
  for (const warning of truth.warnings) assert.ok(text.includes(warning), warning);
});

inBrowser('another model ranks otherwise', options, async (page) => {
  await page.goto('/?q=rain+barrel+water');
  await shows(page, server, { q: 'rain barrel water' });
  await choice(page, 'Model').selectOption('qld');
  await until(() => parameter(page, 'model') === 'qld', 'the model in the address');
  const truth = await shows(page, server, { q: 'rain barrel water', model: 'qld' });
  assert.match(truth.model, /^qld/);
});

inBrowser('an extractor filters', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  const all = await shows(page, server, { q: 'rain barrel' });
  await choice(page, 'Extractor').selectOption('boilerpipe-article');
  const truth = await shows(page, server, { q: 'rain barrel', extractor: 'boilerpipe-article' });
  assert.ok(truth.found < all.found);
  await until(() => parameter(page, 'extractor') === 'boilerpipe-article', 'the extractor in the address');
});
