// The least confidence as a filter: there where the index has confidences, and nowhere else.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { NARROW, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { CONFIDENT, EXTRACTORS, confident, demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { alert, blocks, choice, number, parameter, press, shows, slider, state } from './support/views.mjs';

const NAME = 'Minimum confidence';
const [OTHER] = EXTRACTORS;
const DOCID = 'demo-plot-0004';
let server;
let plain;
before(async () => {
  server = await serve(confident());
  plain = await serve(demo());
});
const options = { server: () => server };

inBrowser('an index without confidences has no such slider', { server: () => plain }, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, plain, { q: 'rain barrel' });
  assert.equal(await slider(page, 'Minimum words').count(), 1);
  assert.equal(await slider(page, NAME).count(), 0);
  await page.goto(`/page?docid=${DOCID}`);
  await state(page, 'ready');
  assert.doesNotMatch(await page.locator('main').textContent(), /confidence/i);
  await page.goto('/sweep');
  await state(page, 'ready');
  assert.doesNotMatch(await page.locator('main').textContent(), /confidence/i);
});

inBrowser('the slider changes results, number and address', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  await press(slider(page, NAME), 'ArrowRight', 14);
  await until(() => parameter(page, 'min_confidence') === '0.7', 'the address');
  assert.equal(await number(page, NAME).inputValue(), '0.7');
  const truth = await shows(page, server, { q: 'rain barrel', min_confidence: '0.7' });
  assert.equal(truth.filter, 'confidence >= 0.7');
  assert.ok(truth.found < truth.found_unfiltered);
  assert.match(await page.locator('#summary').textContent(), /in blocks with confidence at least 0\.7/);
  // What the histogram says is kept is kept.
  const share = Math.round((1000 * truth.kept.blocks) / (await server.json('/api/manifest')).blocks) / 10;
  const note = await page.locator('#min_confidence-hint').textContent();
  const told = Number(/keeps ([\d.]+)\s*% of blocks/.exec(note)?.[1]);
  assert.ok(Math.abs(told - share) <= 0.5, `${note}: ${share}`);
  await number(page, NAME).fill('0.29');
  await shows(page, server, { q: 'rain barrel', min_confidence: '0.29' });
});

inBrowser('it goes with the extractor', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  await choice(page, 'Extractor').selectOption(OTHER);
  await shows(page, server, { q: 'rain barrel', extractor: OTHER });
  assert.equal(await slider(page, NAME).isVisible(), false, `${OTHER} has no confidences`);
  await choice(page, 'Extractor').selectOption(CONFIDENT);
  await press(slider(page, NAME), 'ArrowRight', 10);
  const truth = await shows(page, server, { q: 'rain barrel', extractor: CONFIDENT, min_confidence: '0.5' });
  assert.equal(truth.filter, `${CONFIDENT} and confidence(${CONFIDENT}) >= 0.5`);
  // What cannot be is told, and can be taken back where it was set.
  await choice(page, 'Extractor').selectOption(OTHER);
  await state(page, 'error');
  assert.match(await alert(page).textContent(), /have no confidences/);
  await page.getByRole('button', { name: 'Reset minimum confidence' }).click();
  await shows(page, server, { q: 'rain barrel', extractor: OTHER });
});

inBrowser('blocks say their confidence', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_confidence=0.6`);
  await state(page, 'ready');
  const truth = await server.json(`/api/page/${DOCID}`, { min_confidence: '0.6' });
  assert.equal(truth.confidences_of, CONFIDENT);
  const texts = await blocks(page).evaluateAll((all) => all.map((block) => block.textContent));
  assert.equal(texts.length, truth.blocks.length);
  for (const [n, block] of truth.blocks.entries()) {
    const confidence = block.confidences[CONFIDENT];
    assert.ok(texts[n].includes(`confidence ${confidence.toFixed(2)}`), texts[n]);
    assert.equal(block.kept, confidence >= 0.6);
  }
});

inBrowser('a sweep goes over confidences', options, async (page) => {
  await page.goto('/sweep');
  await state(page, 'ready');
  await choice(page, 'Threshold to vary').selectOption('min_confidence');
  await until(() => parameter(page, 'vary') === 'min_confidence', 'the address');
  await state(page, 'ready');
  assert.equal(await page.locator('#table tbody tr').count(), 22, 'thresholds, and unfiltered');
});

for (const path of ['/?q=rain+barrel&min_confidence=0.6', `/page?docid=${DOCID}&min_confidence=0.6`]) {
  inBrowser(`${path}: no scrolling sideways at 360 pixels`, { ...options, viewport: NARROW }, async (page) => {
    await page.goto(path);
    await state(page, 'ready');
    const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
    assert.ok(wide <= room, `${wide} of ${room} pixels`);
  });
}
