// The sweep view: measures against thresholds, and what stands behind a point.
import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import { after, before } from 'node:test';
import { quiet, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { choice, docids, items, parameter, press, results, shows, slider, state } from './support/views.mjs';

let server;
let plain;
let unjudged;
before(async () => {
  const fixture = demo();
  server = await serve(fixture);
  plain = await serve({ index: fixture.index });
  unjudged = await serve({ index: fixture.index, judged: fixture.judged.slice(0, 2) });
});
const options = { server: () => server };

// Stands between browser and server, since a browser does not tell tests what it sends for a page that is gone: sweeps of PENDING never end.
const PENDING = ['min_words', 'min_density'];
const dropped = [];
let between;
let proxy;
before(async () => {
  proxy = createServer((request, response) => {
    const vary = new URL(request.url, server.url).searchParams.get('vary');
    if (request.method === 'DELETE') dropped.push(vary);
    else if (request.url.startsWith('/api/sweep') && PENDING.includes(vary)) {
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ state: 'running', done: 20, of: 102 }));
      return;
    }
    const { method, url, headers } = request;
    const ask = forward({ host: '127.0.0.1', port: server.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    ask.on('error', () => response.destroy());
    ask.end();
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  between = { url: `http://127.0.0.1:${proxy.address().port}` };
});
after(() => {
  proxy.closeAllConnections();
  proxy.close();
});

/** A finished sweep as the API gives it. */
const swept = (parameters) => until(async () => {
  const answer = await server.json('/api/sweep', parameters);
  return answer.state !== 'running' && answer;
}, 'the sweep');

const threshold = (page) => slider(page, 'Threshold');
const table = (page) => page.getByRole('region', { name: 'The curve as a table' });
const signed = (number) => number.toFixed(3).replace('-', '');

/** Waits until the view shows what the API says of point `n`. */
async function looksAt(page, sweep, n, topic, vary, measure = 0) {
  const point = sweep.lines[0].points[n];
  await until(async () => Number(await threshold(page).inputValue()) === n, `point ${n}`);
  await until(async () => (await page.locator('main').innerText()).includes(point.result.means[measure].toFixed(3)), 'the mean');
  await shows(page, server, { topic, [vary]: point.threshold });
  return point;
}

inBrowser('a curve with its interval, and the same in a table', options, async (page) => {
  await page.goto('/sweep');
  await state(page, 'ready');
  const sweep = await swept({ vary: 'min_words' });
  const { points } = sweep.lines[0];
  const picture = page.getByRole('img');
  await picture.waitFor();
  const name = await picture.getAttribute('aria-label');
  const best = points.reduce((so, point) => (point.result.means[0] > so.result.means[0] ? point : so));
  for (const part of [sweep.measures[0], points[0].result.means[0].toFixed(3), best.result.means[0].toFixed(3), `at ${best.threshold}`]) {
    assert.ok(name.includes(part), `${part} in ${name}`);
  }
  // As many places on the curve as there are thresholds, at heights that follow the means.
  const heights = await picture.locator('path.curve').evaluate((path) => [...path.getAttribute('d').matchAll(/[ML]\S+ (\S+?)(?=[ML]|$)/g)].map((m) => Number(m[1])));
  assert.equal(heights.length, points.length);
  for (const [n, point] of points.entries()) {
    const down = points[0].result.means[0] - point.result.means[0];
    if (Math.abs(down) > 0.01) assert.equal(Math.sign(heights[n] - heights[0]), Math.sign(down), `height at ${point.threshold}`);
  }
  await page.getByText('The curve as a table').click();
  const rows = await table(page).getByRole('row').allInnerTexts();
  for (const point of points) {
    const row = rows.find((row) => row.split(/\s+/)[0] === point.threshold);
    assert.ok(row?.includes(point.result.means[0].toFixed(3)), `${point.threshold}: ${row}`);
  }
});

inBrowser('moving the threshold shows what it gives and other results', options, async (page) => {
  await page.goto('/sweep?topic=2');
  await state(page, 'ready');
  const sweep = await swept({ vary: 'min_words' });
  await press(threshold(page), 'Home');
  await looksAt(page, sweep, 0, '2', 'min_words');
  const first = await docids(page);
  await press(threshold(page), 'ArrowRight', 35);
  const point = await looksAt(page, sweep, 35, '2', 'min_words');
  assert.notDeepEqual(await docids(page), first);
  await until(() => parameter(page, 'at') === point.threshold, 'the threshold in the address');
});

inBrowser('results have their judgments in words', options, async (page) => {
  await page.goto('/sweep?topic=2&at=20');
  await state(page, 'ready');
  const truth = await shows(page, server, { topic: '2', min_words: 20 });
  assert.ok(truth.results.some((one) => one.grade > 0) && truth.results.some((one) => one.grade === 0));
  for (const [n, { grade }] of truth.results.entries()) {
    const words = grade === null ? /unjudged/ : grade > 0 ? new RegExp(`(^|[^t] )relevant.*${grade}`) : /not relevant/;
    assert.match((await items(page).nth(n).innerText()).replaceAll('\n', ' '), words);
  }
});

inBrowser('another topic shows its results', options, async (page) => {
  await page.goto('/sweep?at=20');
  await state(page, 'ready');
  const { sweep } = await server.json('/api/manifest');
  for (const { id } of sweep.topics.slice(2, 4)) {
    await choice(page, 'Topic').selectOption(id);
    await shows(page, server, { topic: id, min_words: 20 });
    await until(() => parameter(page, 'topic') === id, 'the topic in the address');
  }
});

inBrowser('gains and losses by topic are those of the API, and lead to a topic', options, async (page) => {
  await page.goto('/sweep?at=40');
  await state(page, 'ready');
  const sweep = await swept({ vary: 'min_words' });
  const point = sweep.lines[0].points.find((point) => point.threshold === '40');
  const before = sweep.references[0].result.scores[0];
  const gains = sweep.topics.map((topic, n) => ({ ...topic, gain: point.result.scores[0][n] - before[n] }));
  const list = page.getByRole('list', { name: 'Topics by gain' }).getByRole('listitem');
  await until(async () => (await list.count()) === gains.length, 'a row for each topic');
  const rows = await list.allInnerTexts();
  const sorted = [...gains].sort((a, b) => b.gain - a.gain);
  for (const [n, row] of rows.entries()) {
    const shown = gains.find((one) => row.includes(one.query));
    assert.ok(shown, row);
    assert.ok(row.includes(signed(shown.gain)), `${row}: ${shown.gain}`);
    assert.ok(Math.abs(shown.gain - sorted[n].gain) < 1e-9, `row ${n} in order of gain`);
    if (shown.gain < -0.0005) assert.match(row, /[-−]/);
  }
  const last = sorted.at(-1);
  await list.filter({ hasText: last.query }).getByRole('button').click();
  await shows(page, server, { topic: last.id, min_words: 40 });
  assert.equal(await choice(page, 'Topic').inputValue(), last.id);
});

inBrowser('another measure and another dimension draw another curve', options, async (page) => {
  await page.goto('/sweep?topic=1');
  await state(page, 'ready');
  const curve = page.getByRole('img').locator('path.curve');
  const paths = [await curve.getAttribute('d')];
  const measure = (await server.json('/api/manifest')).sweep.measures[1];
  await choice(page, 'Measure').selectOption(measure);
  await until(async () => (await curve.getAttribute('d')) !== paths[0], 'another curve');
  paths.push(await curve.getAttribute('d'));
  await choice(page, 'Threshold to vary').selectOption('max_link_density');
  await until(async () => !paths.includes(await curve.getAttribute('d')), 'a third curve');
  await state(page, 'ready');
  const sweep = await swept({ vary: 'max_link_density' });
  await press(threshold(page), 'Home');
  await looksAt(page, sweep, 0, '1', 'max_link_density', 1);
  assert.ok((await page.getByRole('img').getAttribute('aria-label')).includes(measure));
  assert.equal(parameter(page, 'vary'), 'max_link_density');
});

inBrowser('the rest of the filter changes the curve', options, async (page) => {
  await page.goto('/sweep?vary=min_words&max_link_density=0.3&at=10&topic=3');
  await state(page, 'ready');
  const sweep = await swept({ vary: 'min_words', max_link_density: '0.3' });
  const point = sweep.lines[0].points.find((point) => point.threshold === '10');
  await until(async () => (await page.locator('main').innerText()).includes(point.result.means[0].toFixed(3)));
  await shows(page, server, { topic: '3', min_words: 10, max_link_density: '0.3' });
});

inBrowser('a shared address restores the view', options, async (page, { open }) => {
  await page.goto('/sweep?topic=2');
  await state(page, 'ready');
  await choice(page, 'Measure').selectOption('AP');
  await press(threshold(page), 'Home');
  await press(threshold(page), 'ArrowRight', 17);
  const at = (await swept({ vary: 'min_words' })).lines[0].points[17].threshold;
  await until(() => parameter(page, 'at') === at && parameter(page, 'measure') === 'AP');
  await shows(page, server, { topic: '2', min_words: at });
  const other = await open();
  await other.goto(page.url());
  await shows(other, server, { topic: '2', min_words: at });
  const of = async (page) => [await threshold(page).inputValue(), await choice(page, 'Measure').inputValue(), await choice(page, 'Topic').inputValue(),
    await page.getByRole('img').getAttribute('aria-label'), await docids(page)];
  assert.deepEqual(await of(other), await of(page));
});

inBrowser('a result leads to its page with the threshold', options, async (page) => {
  await page.goto('/sweep?topic=2&at=20');
  await state(page, 'ready');
  const { results: [first] } = await shows(page, server, { topic: '2', min_words: 20 });
  await results(page).getByRole('link').first().click();
  await page.waitForURL('**/page?**');
  await state(page, 'ready');
  assert.equal(parameter(page, 'docid'), first.docid);
  assert.equal(parameter(page, 'min_words'), '20');
});

inBrowser('while a sweep is computed its progress is shown, and then its curve', options, async (page) => {
  let done = 0;
  await page.route('**/api/sweep?**', (route) => {
    done += 20;
    return done <= 60 ? route.fulfill({ status: 202, json: { state: 'running', done, of: 102 } }) : route.continue();
  });
  await page.goto('/sweep');
  await until(async () => /\b(20|40|60) of 102\b/.test(await page.locator('main').innerText()), 'progress in words');
  assert.equal(await page.locator('html').getAttribute('data-state'), 'loading');
  await state(page, 'ready');
  await page.getByRole('img').waitFor();
  assert.ok(!/of 102/.test(await page.locator('main').innerText()));
});

// A sweep that nobody waits for any more once went on to its end, and held up all others.
inBrowser('a sweep is broken off by another choice and by leaving the page', { server: () => between }, async (page) => {
  const waits = () => until(async () => /20 of 102/.test(await page.locator('main').innerText()), 'progress');
  await page.goto('/sweep?vary=min_words');
  await waits();
  await choice(page, 'Threshold to vary').selectOption('max_link_density');
  await state(page, 'ready');
  await until(() => dropped.length > 0, 'the request');
  assert.deepEqual(dropped, ['min_words']);
  await choice(page, 'Threshold to vary').selectOption('min_density');
  await waits();
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await state(page, 'ready');
  await until(() => dropped.length > 1, 'the request of the page that was left');
  assert.deepEqual(dropped, ['min_words', 'min_density']);
});

for (const [what, given] of [['topics', () => plain], ['judgments', () => unjudged]]) {
  inBrowser(`without ${what} the view says what is missing`, { server: given }, async (page) => {
    await page.goto('/sweep');
    await state(page, 'ready');
    const text = await page.locator('main').innerText();
    for (const word of ['--topics', '--qrels', what]) assert.ok(text.includes(word), `${word}: ${text}`);
    assert.equal(await page.getByRole('img').count(), 0);
    await page.goto('/');
    await state(page, 'ready');
    await quiet(page);
  });
}
