// From a slider's move to painted results on the news collection. Printed; held to a limit only with TROMMEL_MEASURE=1, as machines
// differ and this one may be busy.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { news } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { parameter, slider, state } from './support/views.mjs';

const MEASURE = process.env.TROMMEL_MEASURE === '1';
const MOVES = 40;
const LIMIT = 100;
const fixture = news();

if (!fixture) test('latency', { skip: 'skipped: the news collection is not there (set TROMMEL_SHARED)' }, () => {});
else {
  let server;
  before(async () => {
    server = await serve(fixture);
  });
  for (const q of ['Benazir Bhutto assassination', 'climate change global warming', 'football']) {
    inBrowser(`from move to paint: ${q}`, { server: () => server }, async (page, { t }) => {
      await page.goto(`/?${new URLSearchParams({ q })}`);
      await state(page, 'ready');
      const control = slider(page, 'Minimum words');
      await control.focus();
      const times = [];
      for (let n = 1; n <= MOVES; n += 1) {
        await page.evaluate(() => performance.clearMeasures('trommel:painted'));
        await control.press('ArrowRight');
        times.push(await page.waitForFunction(() => performance.getEntriesByName('trommel:painted').at(-1)?.duration)
          .then((handle) => handle.jsonValue()));
      }
      await until(() => parameter(page, 'min_words') === `${MOVES}`);
      times.sort((a, b) => a - b);
      const share = (part) => times[Math.round(part * (times.length - 1))];
      t.diagnostic(`${MOVES} moves: median ${share(0.5).toFixed(1)} ms, p95 ${share(0.95).toFixed(1)} ms, most ${share(1).toFixed(1)} ms`);
      if (MEASURE) assert.ok(share(0.5) < LIMIT, `median ${share(0.5)} ms, limit ${LIMIT} ms`);
    });
  }
}
