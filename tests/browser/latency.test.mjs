// From a slider's move to painted results: printed for the demo's pages; with TROMMEL_MEASURE=1 for the news pages, and held to a limit,
// which asks for a release build and a machine that does nothing else.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo, news } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { parameter, slider, state } from './support/views.mjs';

const MEASURE = process.env.TROMMEL_MEASURE === '1';
const MOVES = 40;
const LIMIT = 100;
const fixture = MEASURE ? news() : demo();
const QUERIES = MEASURE ? ['Benazir Bhutto assassination', 'climate change global warming', 'football'] : ['rain barrel'];

if (!fixture) test('latency', { skip: 'skipped: the news collection is not there (set TROMMEL_SHARED)' }, () => {});
else {
  let server;
  before(async () => {
    server = await serve(fixture);
  });
  for (const q of QUERIES) {
    inBrowser(`from move to paint: ${q}`, { server: () => server }, async (page, { t }) => {
      await page.goto(`/?${new URLSearchParams({ q })}`);
      await state(page, 'ready');
      const control = slider(page, 'Minimum words');
      await control.focus();
      const times = [];
      const requests = [];
      for (let n = 1; n <= MOVES; n += 1) {
        await page.evaluate(() => {
          performance.clearMeasures('trommel:painted');
          performance.clearResourceTimings();
        });
        await control.press('ArrowRight');
        await page.waitForFunction(() => performance.getEntriesByName('trommel:painted').length > 0);
        const [time, request] = await page.evaluate(() => [
          performance.getEntriesByName('trommel:painted').at(-1).duration,
          performance.getEntriesByType('resource').findLast((entry) => entry.name.includes('/api/search')).duration,
        ]);
        times.push(time);
        requests.push(request);
      }
      await until(() => parameter(page, 'min_words') === `${MOVES}`);
      const share = (part, list = times) => list.sort((a, b) => a - b)[Math.round(part * (list.length - 1))];
      t.diagnostic(`${MOVES} moves: median ${share(0.5).toFixed(1)} ms, p95 ${share(0.95).toFixed(1)} ms, most ${share(1).toFixed(1)} ms; `
        + `the request's median ${share(0.5, requests).toFixed(1)} ms`);
      if (MEASURE) assert.ok(share(0.5) < LIMIT, `median ${share(0.5)} ms, limit ${LIMIT} ms`);
    });
  }
}
