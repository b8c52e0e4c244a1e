// What a user reads when something is wrong, and that it goes when all is well again.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { alert, blocks, number, queryBox, shows, state } from './support/views.mjs';

let fixture;
let server;
/** A server that a test may kill. */
let mortal;
before(async () => {
  fixture = demo();
  server = await serve(fixture);
  mortal = await serve(fixture);
});
const options = { server: () => server };

for (const [view, ready] of [['/?q=rain&', 'min_words=3'], ['/page?docid=demo-plot-0004&', 'min_words=3']]) {
  for (const bad of ['min_words=abc', 'max_link_density=1.5', 'extractor=nobody', 'colour=red', 'min_words=1&min_words=2']) {
    inBrowser(`${view}${bad}: a bad parameter is named`, { ...options, expected: [/status of 400/] }, async (page) => {
      await page.goto(`${view}${bad}`);
      await state(page, 'error');
      assert.match(await alert(page).innerText(), new RegExp(bad.split('=')[0], 'i'));
      // What is wrong can be put right on the spot.
      await page.goto(`${view}${ready}`);
      await state(page, 'ready');
      assert.equal(await alert(page).count(), 0);
    });
  }
}

inBrowser('a bad number in the address can be put right with its control', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/?q=rain&min_words=abc');
  await state(page, 'error');
  await number(page, 'Minimum words').fill('4');
  await shows(page, server, { q: 'rain', min_words: 4 });
  assert.equal(await alert(page).count(), 0);
});

inBrowser('a bad model is named', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/?q=rain&model=pagerank');
  await state(page, 'error');
  assert.match(await alert(page).innerText(), /pagerank|model/);
});

inBrowser('a docid that is none is named', { ...options, expected: [/status of 404/] }, async (page) => {
  await page.goto('/page?docid=nobody-0001');
  await state(page, 'error');
  assert.match(await alert(page).innerText(), /nobody-0001/);
  assert.equal(await blocks(page).count(), 0);
});

inBrowser('a page view without a docid says what is missing', { ...options, expected: [/status of 40\d/] }, async (page) => {
  await page.goto('/page');
  await state(page, 'error');
  assert.match(await alert(page).innerText(), /docid|page/i);
});

inBrowser('an address that is none has words and a way back', { ...options, expected: [/status of 404/] }, async (page) => {
  const answer = await page.goto('/nowhere');
  assert.equal(answer.status(), 404);
  assert.match(await page.locator('body').innerText(), /\w+ \w+/);
});

inBrowser('a query that is too long is refused in words', { ...options, expected: [/status of 4\d\d/] }, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  await queryBox(page).fill('rain '.repeat(400));
  // A box that takes no more than 1,000 bytes is as good.
  await until(async () => (await alert(page).count()) > 0 || (await queryBox(page).inputValue()).length <= 1000, 'a refusal');
  await queryBox(page).fill('rain');
  await shows(page, server, { q: 'rain' });
  assert.equal(await alert(page).count(), 0);
});

inBrowser('a server that stopped is spoken of, and work goes on when it is back',
  { server: () => mortal, expected: [/net::ERR_/] }, async (page) => {
    await page.goto('/?q=rain');
    await shows(page, server, { q: 'rain' });
    await mortal.kill();
    await queryBox(page).fill('rain barrel');
    await state(page, 'error');
    assert.match(await alert(page).innerText(), /server|connect|reach|answer/i);
    const { port } = mortal;
    mortal = await serve(fixture, port);
    assert.equal(mortal.port, port, 'the same port again');
    await queryBox(page).press('Enter');
    await shows(page, server, { q: 'rain barrel' });
    assert.equal(await alert(page).count(), 0);
  });

inBrowser('a busy server is spoken of, and asked again', { ...options, expected: [/status of 503/] }, async (page) => {
  await page.goto('/?q=rain');
  await shows(page, server, { q: 'rain' });
  let busy = true;
  await page.route('**/api/search?**', (route) => (busy
    ? route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: 'too many searches wait' } })
    : route.continue()));
  await queryBox(page).fill('rain barrel');
  await state(page, 'error');
  assert.match(await alert(page).innerText(), /too many searches wait|busy/i);
  busy = false;
  await queryBox(page).press('Enter');
  await shows(page, server, { q: 'rain barrel' });
  assert.equal(await alert(page).count(), 0);
});

inBrowser('an answer that is no JSON is an error, not a blank page', options, async (page) => {
  await page.goto('/?q=rain');
  await shows(page, server, { q: 'rain' });
  await page.route('**/api/search?**', (route) => route.fulfill({ status: 200, body: '<html>a proxy says hello' }));
  await queryBox(page).fill('rain barrel');
  await state(page, 'error');
  assert.match(await alert(page).innerText(), /\w+ \w+/);
});
