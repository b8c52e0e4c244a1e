// Weights: controls write an expression, and are set by one; blocks and scores say how much each block counts.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import axe from 'axe-core';
import { NARROW, WIDE, until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { CONFIDENT, EXTRACTORS, confident, demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { alert, blocks, items, number, parameter, press, shows, slider, state } from './support/views.mjs';

const DOCID = 'demo-plot-0004';
const Q = { q: 'rain barrel' };
const BOTH = `max(confidence(${CONFIDENT}), 0.1) * (if tag = title then 3 else if tag in (h1, h2) then 4 else 1)`;
const OWN = 'if words >= 11 then min(2, words / 20) else 0';
const SCREENS = [WIDE, { ...NARROW, width: 380 }];
let server;
let plain;
before(async () => {
  server = await serve(confident());
  plain = await serve(demo());
});
const options = { server: () => server };

const address = (path, weights) => `${path}${path.includes('?') ? '&' : '?'}weights=${encodeURIComponent(weights)}`;
const panel = (page) => page.locator('#weights-box');
const expression = (page) => page.getByRole('textbox', { name: 'Weight expression', exact: true });
const factor = (page, name) => page.getByRole('group', { name: 'Times, by tag' }).getByLabel(name, { exact: true });
const whose = (page) => page.getByRole('combobox', { name: 'By the confidence of', exact: true });
const inBrief = (page) => page.locator('#weights-words').textContent();
const remove = (page) => page.getByRole('button', { name: 'Remove the weights' });
const unfold = (page) => panel(page).locator('summary').click();
const says = (page, text) => until(async () => (await expression(page).inputValue()) === text, text);
const weighed = (page, text) => until(() => parameter(page, 'weights') === text, `the address with ${text}`);

/** What stands in the controls. */
async function controls(page) {
  const factors = await page.locator('.factors label').evaluateAll((labels) => labels.map((label) => [label.textContent, label.querySelector('input').value]));
  return { of: await whose(page).inputValue(), ...Object.fromEntries(factors) };
}
const ALIKE = { of: '', title: '0', 'h1–h2': '1', 'h3–h6': '1', li: '1', td: '1' };

inBrowser('controls write the expression, which ranks', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, Q);
  assert.equal(await inBrief(page), 'none');
  assert.equal(await expression(page).isVisible(), false, 'folded');
  await unfold(page);
  assert.equal(await slider(page, 'But at least').isVisible(), false, 'nothing is at least anything');
  await whose(page).selectOption(CONFIDENT);
  await weighed(page, `max(confidence(${CONFIDENT}), 0.1)`);
  await shows(page, server, { ...Q, weights: `max(confidence(${CONFIDENT}), 0.1)` });
  await press(slider(page, 'But at least'), 'ArrowRight', 3);
  await says(page, `max(confidence(${CONFIDENT}), 0.25)`);
  assert.equal(await number(page, 'But at least').inputValue(), '0.25');
  await number(page, 'But at least').fill('0');
  await says(page, `confidence(${CONFIDENT})`);
  await number(page, 'But at least').fill('0.1');
  await factor(page, 'h1–h2').fill('4');
  await factor(page, 'title').fill('3');
  await says(page, BOTH);
  const truth = await shows(page, server, { ...Q, weights: BOTH });
  assert.equal(truth.weights, BOTH);
  assert.equal(parameter(page, 'weights'), BOTH);
  assert.equal(await inBrief(page), 'by confidence and tag');
  assert.match(await page.locator('#summary').textContent(), /found in all blocks, weighted; \d+ without the weights\./);
  assert.match(await items(page).nth(1).locator('.change').textContent(), /without the weights|from \d+/);
  await whose(page).selectOption('');
  await says(page, 'if tag = title then 3 else if tag in (h1, h2) then 4 else 1');
  assert.equal(await inBrief(page), 'by tag');
  await factor(page, 'h1–h2').fill('1');
  await factor(page, 'title').fill('0');
  await says(page, '');
  await until(() => parameter(page, 'weights') === null, 'the address');
  await shows(page, server, Q);
});

inBrowser('an address and what is typed set the controls', options, async (page) => {
  await page.goto(address('/?q=rain+barrel', BOTH));
  await shows(page, server, { ...Q, weights: BOTH });
  await says(page, BOTH);
  assert.deepEqual(await controls(page), { ...ALIKE, of: CONFIDENT, title: '3', 'h1–h2': '4' });
  assert.equal(await number(page, 'But at least').inputValue(), '0.1');
  await expression(page).fill('if TAG=li then .50 else 1');
  await weighed(page, 'if tag = li then 0.5 else 1');
  await shows(page, server, { ...Q, weights: 'if tag = li then 0.5 else 1' });
  assert.deepEqual(await controls(page), { ...ALIKE, li: '0.5' });
  assert.equal(await expression(page).inputValue(), 'if TAG=li then .50 else 1', 'what is typed stays as it is typed');
  await expression(page).blur();
  await says(page, 'if tag = li then 0.5 else 1');
  // Tags without a control of their own get one, in the place of those that they overlap.
  await expression(page).fill('if tag in (p, h1) then 2 else 1');
  await weighed(page, 'if tag in (p, h1) then 2 else 1');
  assert.deepEqual(await controls(page), { of: '', title: '0', 'h3–h6': '1', li: '1', td: '1', 'p, h1': '2' });
  await factor(page, 'td').fill('0');
  await says(page, 'if tag = td then 0 else if tag in (p, h1) then 2 else 1');
});

inBrowser('an expression of another form stays, and the controls say so', options, async (page) => {
  await page.goto(address('/?q=rain+barrel', OWN));
  const truth = await shows(page, server, { ...Q, weights: OWN });
  assert.equal(truth.weights, OWN);
  await says(page, OWN);
  assert.deepEqual(await controls(page), ALIKE);
  assert.equal(await inBrief(page), 'by an expression');
  assert.match(await panel(page).textContent(), /The controls cannot show this expression/);
  await factor(page, 'li').fill('0');
  await says(page, 'if tag = li then 0 else 1');
  assert.doesNotMatch(await panel(page).textContent(), /The controls cannot show/);
  await shows(page, server, { ...Q, weights: 'if tag = li then 0 else 1' });
  await page.goBack();
  await shows(page, server, { ...Q, weights: OWN });
  await says(page, OWN);
  assert.match(await panel(page).textContent(), /The controls cannot show this expression/);
});

inBrowser('an error points at its place', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, Q);
  await unfold(page);
  await expression(page).fill('2 * wrods');
  const note = page.locator('#weight-expression-note');
  await until(async () => /there is no attribute 'wrods'/.test(await note.textContent()), 'words');
  assert.doesNotMatch(await note.textContent(), /weights:/);
  const [line, caret] = (await note.locator('pre').textContent()).split('\n');
  assert.equal(line.indexOf('wrods'), caret.indexOf('^'));
  assert.equal(await expression(page).getAttribute('aria-invalid'), 'true');
  assert.equal(parameter(page, 'weights'), null);
  await shows(page, server, Q);
  await expression(page).fill('2');
  await weighed(page, '2');
  assert.equal(await note.textContent(), '');
  // Only the blocks of the index show that these are negative: said where the results would be.
  await expression(page).fill('words - 5');
  await state(page, 'error');
  assert.match(await alert(page).textContent(), /is negative/);
  assert.deepEqual((await alert(page).locator('pre').textContent()).split('\n'), ['words - 5', '^^^^^^^^^']);
  await remove(page).click();
  await shows(page, server, Q);
});

inBrowser('an address with an error shows it where it can be mended', { ...options, expected: [/status of 400/] }, async (page) => {
  await page.goto(address('/?q=rain+barrel', 'wrods'));
  await state(page, 'error');
  assert.match(await alert(page).textContent(), /there is no attribute 'wrods'/);
  await says(page, 'wrods');
  await until(async () => (await expression(page).getAttribute('aria-invalid')) === 'true', 'the field');
  await expression(page).fill('min(100, words)');
  await weighed(page, 'min(100, words)');
  await shows(page, server, { ...Q, weights: 'min(100, words)' });
  assert.equal(await alert(page).count(), 0);
});

inBrowser('address, back button and removal', options, async (page, { open }) => {
  await page.goto('/?q=rain+barrel&min_words=5');
  await shows(page, server, { ...Q, min_words: 5 });
  await unfold(page);
  await whose(page).selectOption(CONFIDENT);
  const weights = `max(confidence(${CONFIDENT}), 0.1)`;
  await shows(page, server, { ...Q, min_words: 5, weights });
  assert.match(await page.locator('#summary').textContent(), /with at least 5 words, weighted; \d+ without the filter and the weights/);
  const other = await open();
  await other.goto(page.url());
  await shows(other, server, { ...Q, min_words: 5, weights });
  assert.equal(await whose(other).inputValue(), CONFIDENT);
  assert.ok(await whose(other).isVisible(), 'open where there are weights');
  await remove(page).click();
  await shows(page, server, { ...Q, min_words: 5 });
  assert.equal(parameter(page, 'weights'), null);
  assert.equal(await remove(page).getAttribute('aria-disabled'), 'true');
  await page.goBack();
  await shows(page, server, { ...Q, min_words: 5, weights });
  await says(page, weights);
  assert.equal(await whose(page).inputValue(), CONFIDENT);
  await page.goBack();
  await shows(page, server, { ...Q, min_words: 5 });
  await says(page, '');
  assert.deepEqual(await controls(page), ALIKE);
});

inBrowser('links between the views carry the weights along', options, async (page) => {
  await page.goto(address('/?q=rain+barrel&min_density=2', BOTH));
  await shows(page, server, { ...Q, min_density: 2, weights: BOTH });
  await items(page).first().getByRole('link').first().click();
  await page.waitForURL('**/page?**');
  await state(page, 'ready');
  assert.equal(parameter(page, 'weights'), BOTH);
  await page.getByRole('link', { name: /back to the results/i }).click();
  await shows(page, server, { ...Q, min_density: 2, weights: BOTH });
  await page.getByRole('link', { name: 'Sweep', exact: true }).click();
  await page.waitForURL('**/sweep?**');
  await state(page, 'ready');
  assert.equal(parameter(page, 'weights'), BOTH);
  assert.equal(parameter(page, 'min_density'), '2');
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await until(() => new URL(page.url()).pathname === '/', 'the search');
  await state(page, 'ready');
  assert.equal(parameter(page, 'weights'), BOTH);
  assert.equal(parameter(page, 'min_density'), '2');
});

inBrowser('blocks of a page say and show how much they count', options, async (page) => {
  await page.goto(address(`/page?docid=${DOCID}&min_words=2`, BOTH));
  await state(page, 'ready');
  const truth = await server.json(`/api/page/${DOCID}`, { min_words: 2, weights: BOTH });
  const texts = await blocks(page).evaluateAll((all) => all.map((block) => block.querySelector('.verdict').textContent));
  assert.equal(texts.length, truth.blocks.length);
  const word = (block) => (block.kept ? 'kept' : 'dropped');
  for (const [n, block] of truth.blocks.entries()) assert.equal(texts[n], `${word(block)} weight ×${block.weight}`);
  assert.ok(new Set(texts).size > 3);
  // What counts more stands on a ground that is further from the page's.
  const grounds = await blocks(page).evaluateAll((all) => all.map((block) => [Number(block.dataset.shade), getComputedStyle(block).backgroundColor]));
  const sorted = truth.blocks.map(({ weight }, n) => [weight, grounds[n]]).sort(([a], [b]) => a - b);
  for (const [i, [, [shade]]] of sorted.entries()) assert.ok(i === 0 || shade >= sorted[i - 1][1][0]);
  assert.equal(new Set(grounds.map(([shade]) => shade)).size, new Set(grounds.map(([, ground]) => ground)).size);
  assert.equal(truth.title_weight, 3);
  assert.match(await page.locator('#title-weight').textContent(), /×3$/);
  assert.match(await page.locator('#totals').textContent(), /filter and weights/);
  await factor(page, 'title').fill('0');
  await weighed(page, `max(confidence(${CONFIDENT}), 0.1) * (if tag in (h1, h2) then 4 else 1)`);
  await until(() => page.locator('#title-weight').isHidden(), 'no weight of the title');
  await remove(page).click();
  await until(async () => (await blocks(page).locator('.weight').filter({ hasText: '×' }).count()) === 0, 'no weights');
  assert.equal(await page.locator('.block[data-shade]').count(), 0);
  await page.goBack();
  await until(async () => (await blocks(page).locator('.weight').filter({ hasText: '×' }).count()) === texts.length, 'weights again');
});

inBrowser('beside another extractor blocks have their weights, too', options, async (page) => {
  await page.goto(address(`/page?docid=${DOCID}&compare=${EXTRACTORS[1]}`, BOTH));
  await state(page, 'ready');
  const truth = await server.json(`/api/page/${DOCID}`, { weights: BOTH });
  const texts = await blocks(page).locator('.weight').allTextContents();
  assert.deepEqual(texts, truth.blocks.map((block) => ` weight ×${block.weight}`));
});

inBrowser('explanations say where a score comes from', options, async (page) => {
  await page.goto(address('/?q=rain+barrel&k=2', BOTH));
  const truth = await server.json('/api/search', { ...Q, k: 2, weights: BOTH, explain: 'true' });
  await shows(page, server, { ...Q, k: 2, weights: BOTH });
  await items(page).first().getByRole('button', { name: /^Score/ }).click();
  const table = items(page).first().getByRole('table', { name: 'Where the score comes from' });
  await table.waitFor();
  const rows = await table.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent)));
  const wanted = [...truth.results[0].explain.shares].sort((a, b) => b.share - a.share).slice(0, 8);
  assert.ok(wanted.some(({ block }) => block === null));
  assert.deepEqual(rows, wanted.map(({ block, weight }) => [block === null ? 'title' : `block ${block}`, `×${weight}`]));
  const first = wanted.find(({ block }) => block !== null);
  await table.getByRole('link', { name: `block ${first.block}`, exact: true }).click();
  await page.waitForURL(`**/page?**#block-${first.block}`);
  assert.equal(parameter(page, 'weights'), BOTH);
  // Without weights every block has its share, and nothing is said of them.
  await page.goto('/?q=rain+barrel&k=1&explain=true');
  await state(page, 'ready');
  assert.equal(await page.getByRole('table', { name: 'Where the score comes from' }).count(), 0);
  assert.equal(await page.getByRole('group', { name: 'Explanation of the score' }).count(), 1);
});

inBrowser('a sweep goes over thresholds under weights', options, async (page) => {
  await page.goto(address('/sweep?vary=max_link_density', BOTH));
  await state(page, 'ready');
  assert.equal(await page.locator('#base-words').textContent(), 'all blocks, weighted');
  assert.equal(await page.locator('#weights-text').textContent(), BOTH);
  const truth = await server.json('/api/sweep', { vary: 'max_link_density', weights: BOTH });
  const means = truth.lines[0].points.map((point) => point.result.means[0].toFixed(3));
  const column = () => page.locator('#table tbody tr td:nth-child(2)').allTextContents();
  assert.deepEqual((await column()).slice(1), means);
  assert.match(await page.locator('#results-about').textContent(), /, weighted: of the first/);
  assert.equal(new URL(await page.getByRole('link', { name: 'Open this search' }).evaluate((link) => link.href)).searchParams.get('weights'), BOTH);
  await remove(page).click();
  await until(() => parameter(page, 'weights') === null, 'the address');
  await until(async () => (await page.locator('#base-words').textContent()) === 'none', 'nothing fixed');
  await state(page, 'ready');
  const without = await server.json('/api/sweep', { vary: 'max_link_density' });
  await until(async () => {
    assert.deepEqual((await column()).slice(1), without.lines[0].points.map((point) => point.result.means[0].toFixed(3)));
    return true;
  });
});

inBrowser('an index without confidences has factors by tag alone', { server: () => plain }, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, plain, Q);
  await unfold(page);
  assert.equal(await whose(page).isVisible(), false);
  assert.equal(await slider(page, 'But at least').isVisible(), false);
  assert.match(await panel(page).textContent(), /No extractor of this index says how sure it is/);
  await factor(page, 'td').fill('0');
  await shows(page, plain, { ...Q, weights: 'if tag = td then 0 else 1' });
});

inBrowser('what an index does not have is told where it is named', { server: () => plain, expected: [/status of 400/] }, async (page) => {
  await page.goto(address('/?q=rain+barrel', `confidence(${CONFIDENT})`));
  await state(page, 'error');
  assert.match(await alert(page).textContent(), new RegExp(`labels of '${CONFIDENT}'|no confidences`));
  await says(page, `confidence(${CONFIDENT})`);
  await remove(page).click();
  await shows(page, plain, Q);
});

for (const path of ['/?q=rain+barrel&explain=true&k=2', `/page?docid=${DOCID}&q=rain`, `/page?docid=${DOCID}&compare=${EXTRACTORS[0]}&min_words=4`, '/sweep']) {
  inBrowser(`${path}, weighted: axe finds nothing grave, and nothing scrolls sideways`, options, async (page) => {
    await page.goto(address(path, BOTH));
    await state(page, 'ready');
    for (const viewport of SCREENS) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
        const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
        const name = `${colorScheme}, ${viewport.width}`;
        assert.deepEqual(grave.map(({ id, nodes }) => `${id}: ${nodes[0].html}: ${nodes[0].failureSummary}`), [], name);
        const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
        assert.ok(wide <= room, `${name}: ${wide} of ${room} pixels`);
      }
    }
  });
}
