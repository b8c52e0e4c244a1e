// Pages, titles, addresses, docids, queries and topics that try to be markup or code are shown as text.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { NARROW, quiet, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { hostile } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { DOCIDS, TEXTS, WORD, visible } from './support/hostile.mjs';
import { alert, blocks, items, queryBox, shows, state } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(hostile());
});
const options = { server: () => server };

/** What the page's own files never make, and texts must not. */
function foreignElements() {
  const found = [...document.querySelectorAll('img, iframe, object, embed, base, video, audio, meta[http-equiv]')];
  const scripts = [...document.scripts].filter((script) => !script.src.startsWith(`${location.origin}/assets/`));
  const handlers = [...document.querySelectorAll('*')].filter((element) => [...element.attributes]
    .some(({ name, value }) => name.startsWith('on') || name === 'srcdoc' || /^\s*(java|vb)script:|^\s*data:/i.test(value)));
  const links = [...document.links].filter((link) => !['http:', 'https:'].includes(link.protocol) || link.password);
  return [...found, ...scripts, ...handlers, ...links].map((element) => element.outerHTML.slice(0, 200));
}

/** Nothing ran and nothing was made of the texts. */
async function assertHarmless(page) {
  await quiet(page);
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined, 'something ran');
  assert.deepEqual(await page.evaluate(foreignElements), [], 'made of a text');
  assert.equal(await page.evaluate(() => document.body.innerText.includes('constructor49') || /(^|\s)49(\s|$)/.test(document.title)), false);
}

/** A page's text as one sees it. */
const seen = async (locator) => visible(await locator.evaluate((element) => element.textContent));

inBrowser('the collection is as hostile as it was made', options, async () => {
  const truth = await server.json('/api/search', { q: WORD, k: 100 });
  assert.equal(truth.found, DOCIDS.length);
  assert.deepEqual(truth.results.map((result) => result.docid).sort(), [...DOCIDS].sort());
});

inBrowser('results are text', options, async (page) => {
  await page.goto(`/?q=${WORD}&k=100`);
  const truth = await shows(page, server, { q: WORD, k: 100 });
  await assertHarmless(page);
  for (const [n, result] of truth.results.entries()) {
    const item = items(page).nth(n);
    const text = await seen(item);
    for (const part of [result.title || result.docid, result.url, ...result.fragments.flatMap((f) => f.parts)]) {
      assert.ok(text.includes(visible(part ?? '')), `result ${n}: ${JSON.stringify(part)} in ${text}`);
    }
  }
});

inBrowser('results do not widen a narrow screen', { ...options, viewport: NARROW }, async (page) => {
  await page.goto(`/?q=${WORD}&k=100&explain=true`);
  await shows(page, server, { q: WORD, k: 100 });
  const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
  assert.ok(wide <= room, `${wide} of ${room} pixels`);
});

for (const [unit, texts] of [['page', TEXTS], ['block', TEXTS.slice(0, 5)]]) {
  inBrowser(`explanations of ${unit}s are text`, options, async (page) => {
    for (const q of texts) {
      const parameters = { q: `${q.slice(0, 300)} ${WORD}`, literal: true, explain: true, unit, k: 3 };
      await page.goto(`/?${new URLSearchParams(parameters)}`);
      const truth = await shows(page, server, parameters);
      const text = await seen(items(page).first());
      for (const { term } of truth.results[0].explain.clauses) assert.ok(text.includes(visible(term)), term);
      await assertHarmless(page);
    }
  });
}

inBrowser('a typed query and its error are text', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  for (const q of TEXTS) {
    await queryBox(page).fill(q.slice(0, 900));
    await queryBox(page).press('Enter');
    await until(async () => {
      await page.locator('html:not([data-state=loading])').waitFor({ state: 'attached' });
      return new URL(page.url()).searchParams.get('q') === (await queryBox(page).inputValue());
    });
    await assertHarmless(page);
  }
  await queryBox(page).fill('"><img src=x onerror=__ran=80> NOT colour:red');
  await state(page, 'error');
  assert.ok((await alert(page).count()) > 0);
  await assertHarmless(page);
});

inBrowser('the page of every docid opens by its link and is text', { ...options, timeout: 240_000 }, async (page) => {
  await page.goto(`/?q=${WORD}&k=100`);
  const { results } = await shows(page, server, { q: WORD, k: 100 });
  const links = await items(page).evaluateAll((all) => all.map((item) => item.querySelector('a').href));
  for (const [n, { docid }] of results.entries()) {
    await page.goto(links[n]);
    await state(page, 'ready');
    assert.equal(new URL(page.url()).searchParams.get('docid'), docid);
    const truth = await server.json('/api/page', { docid, q: WORD });
    assert.equal(truth.docid, docid);
    await until(async () => (await blocks(page).count()) === truth.blocks.length, 'all blocks');
    const texts = await blocks(page).evaluateAll((all) => all.map((block) => block.textContent));
    for (const [n, block] of truth.blocks.entries()) {
      const text = visible(block.parts.join(''));
      assert.ok(visible(texts[n]).includes(text), `${docid}, block ${n}: ${text}`);
    }
    const whole = await seen(page.locator('main'));
    for (const part of [truth.title, truth.url, docid]) assert.ok(whole.includes(visible(part ?? '')), JSON.stringify(part));
    await assertHarmless(page);
  }
});

inBrowser('a page does not widen a narrow screen', { ...options, viewport: NARROW }, async (page) => {
  for (const docid of [DOCIDS[0], DOCIDS.find((docid) => docid.length > 1000)]) {
    await page.goto(`/page?${new URLSearchParams({ docid, compare: 'bte' })}`);
    await state(page, 'ready');
    const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
    assert.ok(wide <= room, `${wide} of ${room} pixels`);
  }
});

inBrowser('a docid that is none is text in the error', { ...options, expected: [/status of 40\d/] }, async (page) => {
  for (const text of TEXTS.slice(0, 8)) {
    await page.goto(`/page?${new URLSearchParams({ docid: text, compare: text, extractor: text })}`);
    await state(page, 'error');
    await assertHarmless(page);
  }
});

inBrowser('hostile parameters are text', { ...options, expected: [/status of 40\d/] }, async (page) => {
  for (const key of ['model', 'extractor', 'stats', 'unit', 'topic', 'min_words']) {
    for (const text of TEXTS.slice(0, 2)) {
      await page.goto(`/?${new URLSearchParams({ q: WORD, [key]: text })}`);
      await state(page, 'error');
      await assertHarmless(page);
    }
  }
});

inBrowser('topics are text on the sweep view', options, async (page) => {
  await page.goto('/sweep?vary=min_words');
  await state(page, 'ready');
  await assertHarmless(page);
  const { sweep } = await server.json('/api/manifest');
  const whole = await seen(page.locator('main'));
  for (const { id, query } of sweep.topics) {
    assert.ok(whole.includes(visible(id)), id);
    assert.ok(whole.includes(visible(query).slice(0, 20)), query);
  }
  for (const { id } of sweep.topics.slice(0, 3)) {
    await page.goto(`/?${new URLSearchParams({ topic: id })}`);
    await state(page, 'ready');
    await assertHarmless(page);
  }
});
