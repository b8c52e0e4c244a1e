// Many inputs, few requests; and an answer that comes late never takes the place of a newer one.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { quiet, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { docids, parameter, queryBox, shows, slider, state } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };

/** Holds back the searches that `matches` picks: they come with `release`, which waits until the page has had them. */
async function hold(page, matches) {
  let open;
  const gate = new Promise((done) => {
    open = done;
  });
  const held = [];
  await page.route('**/api/search?**', async (route) => {
    if (!matches(new URL(route.request().url()).searchParams)) return route.continue();
    const over = new Promise((done) => {
      const end = (request) => request === route.request() && done();
      page.on('requestfinished', end);
      page.on('requestfailed', end);
    });
    held.push(over);
    const answer = await route.fetch();
    await gate;
    // A page that has given the request up is as good as one that passes over the answer.
    return route.fulfill({ response: answer }).catch(() => {});
  });
  return {
    held,
    release: async () => {
      open();
      await Promise.all(held);
      await quiet(page);
    },
  };
}

inBrowser('a late answer to an older query is passed over', options, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  const late = await hold(page, (parameters) => parameters.get('q') === 'compost');
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === 'compost');
  await queryBox(page).fill('compost');
  await asked;
  await queryBox(page).fill('rain barrel');
  await shows(page, server, { q: 'rain barrel' });
  await late.release();
  assert.equal(late.held.length, 1);
  await shows(page, server, { q: 'rain barrel' });
  await until(() => parameter(page, 'q') === 'rain barrel', 'the query in the address');
});

inBrowser('a late answer to an older slider position is passed over', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  const late = await hold(page, (parameters) => parameters.get('min_words') === '30');
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('min_words') === '30');
  await slider(page, 'Minimum words').fill('30');
  await asked;
  await slider(page, 'Minimum words').fill('50');
  await shows(page, server, { q: 'rain barrel', min_words: 50 });
  await late.release();
  await shows(page, server, { q: 'rain barrel', min_words: 50 });
});

inBrowser('a request that hangs does not hold up the newest slider position', options, async (page) => {
  await page.clock.install();
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  await page.clock.pauseAt(Date.now() + 60_000);
  const late = await hold(page, (parameters) => parameters.get('min_words') === '30');
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('min_words') === '30');
  // Held, not let go: there is no change event.
  const drag = (value) => slider(page, 'Minimum words').evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
  await drag(30);
  await page.clock.runFor(100);
  await asked;
  await drag(50);
  await page.clock.runFor(2000);
  await page.clock.resume();
  await shows(page, server, { q: 'rain barrel', min_words: 50 });
  await late.release();
  await shows(page, server, { q: 'rain barrel', min_words: 50 });
});

inBrowser('a late failure does not replace results', { ...options, expected: [/status of 503/] }, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  let fail;
  const failed = new Promise((done) => {
    fail = done;
  });
  await page.route('**/api/search?q=compost*', async (route) => {
    await failed;
    await route.fulfill({ status: 503, json: { error: 'too busy' } }).catch(() => {});
  });
  const asked = page.waitForRequest('**/api/search?q=compost*');
  await queryBox(page).fill('compost');
  const over = (await asked).response().catch(() => {});
  await queryBox(page).fill('rain');
  await shows(page, server, { q: 'rain' });
  fail();
  await over;
  await quiet(page);
  assert.deepEqual(await docids(page), (await server.json('/api/search', { q: 'rain' })).results.map((r) => r.docid));
  assert.equal(await page.locator('html').getAttribute('data-state'), 'ready');
});

inBrowser('fast typing is debounced', options, async (page) => {
  await page.clock.install();
  await page.goto('/');
  await state(page, 'ready');
  const searches = [];
  page.on('request', (request) => request.url().includes('/api/search') && searches.push(new URL(request.url())));
  await page.clock.pauseAt(Date.now() + 60_000);
  const query = 'rain barrel';
  for (const letter of query) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.clock.runFor(10);
  }
  assert.equal(await queryBox(page).inputValue(), query, 'the query box has the focus from the start');
  assert.ok(searches.length <= 3, `${searches.length} searches within 110 ms of typing`);
  await page.clock.runFor(3000);
  await page.clock.resume();
  await shows(page, server, { q: query });
  assert.ok(searches.length <= 4, `${searches.length} searches`);
  assert.equal(searches.at(-1).searchParams.get('q'), query);
});

inBrowser('a slider dragged far in one moment asks for few positions', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  const searches = [];
  page.on('request', (request) => request.url().includes('/api/search') && searches.push(request.url()));
  await slider(page, 'Minimum words').evaluate((slider) => {
    for (let value = 1; value <= 40; value += 1) {
      slider.value = value;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await shows(page, server, { q: 'rain barrel', min_words: 40 });
  assert.ok(searches.length <= 3, `${searches.length} searches`);
});
