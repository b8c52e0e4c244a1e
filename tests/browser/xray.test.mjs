// The page view ("X-ray"): what a filter and each extractor keep of a page, block by block.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { EXTRACTORS, demo, long } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { blocks, choice, items, number, parameter, press, shows, slider, state } from './support/views.mjs';

const DOCID = 'demo-plot-0004';
let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };

/** Numbers and verdicts of the blocks that stand there. */
const verdicts = (page) => blocks(page).evaluateAll((all) => all.map((block) => [Number(block.dataset.block), block.dataset.kept === 'true']));

/** Waits until the blocks are judged as the API judges them. */
async function judged(page, parameters) {
  const truth = await server.json('/api/page', { docid: DOCID, ...parameters });
  const wanted = truth.blocks.map((block) => [block.block, block.kept]);
  await until(async () => {
    assert.deepEqual(await verdicts(page), wanted);
    return true;
  });
  await state(page, 'ready');
  return truth;
}

const squeezed = (text) => text.replaceAll(/\s+/g, ' ').trim();

inBrowser('all blocks stand there with text, values and verdicts in words', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_words=11`);
  const truth = await judged(page, { min_words: 11 });
  const texts = await blocks(page).evaluateAll((all) => all.map((block) => block.textContent));
  for (const [n, block] of truth.blocks.entries()) {
    const text = squeezed(texts[n]);
    assert.ok(text.includes(squeezed(block.parts.join(''))), `block ${n}: ${text}`);
    assert.match(text, new RegExp(`${block.num_words} words?|words? ${block.num_words}`), `block ${n}`);
    for (const value of [block.tag, block.kept ? 'kept' : 'dropped']) assert.ok(text.includes(value), `${value}: ${text}`);
    // What is content for an extractor is said in words, not by colour alone.
    for (const name of EXTRACTORS) assert.equal(text.includes(name), block.labels[name], `${name} in ${text}`);
  }
  assert.ok(truth.blocks.some((block) => block.kept) && truth.blocks.some((block) => !block.kept));
});

inBrowser('title, address, docid and sums stand at the head', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_words=11`);
  const truth = await judged(page, { min_words: 11 });
  const text = squeezed(await page.locator('main').innerText());
  const { totals } = truth;
  for (const part of [truth.title, truth.url, truth.docid, truth.file]) assert.ok(text.includes(squeezed(part)), part);
  for (const sum of [totals.blocks, totals.blocks_kept, totals.words, totals.words_kept]) assert.ok(text.includes(sum.toLocaleString('en-GB')), `${sum}`);
  for (const name of EXTRACTORS) {
    const row = page.getByRole('row').filter({ hasText: name });
    const cells = (await row.getByRole('cell').allInnerTexts()).map((cell) => cell.replaceAll(',', ''));
    assert.deepEqual(cells.slice(0, 2), [`${totals.extractors[name].blocks}`, `${totals.extractors[name].words}`], name);
  }
  assert.ok((await page.title()).includes(truth.title.slice(0, 20)));
});

inBrowser('words of the query are marked', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&q=rain+barrel`);
  const truth = await judged(page, { q: 'rain barrel' });
  const marked = truth.blocks.flatMap((block) => block.parts.filter((_, i) => i % 2 === 1));
  assert.ok(marked.length > 5);
  assert.deepEqual(await blocks(page).locator('mark').allTextContents(), marked);
  await page.goto(`/page?docid=${DOCID}`);
  await judged(page, {});
  assert.equal(await blocks(page).locator('mark').count(), 0);
});

inBrowser('the filter moves the border between kept and dropped', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}`);
  const all = await judged(page, {});
  assert.ok(all.blocks.every((block) => block.kept));
  await press(slider(page, 'Minimum words'), 'ArrowRight', 12);
  await judged(page, { min_words: 12 });
  await until(() => parameter(page, 'min_words') === '12', 'the threshold in the address');
  await number(page, 'Maximum link density').fill('0.25');
  await judged(page, { min_words: 12, max_link_density: '0.25' });
  await number(page, 'Minimum words').fill('');
  await number(page, 'Maximum link density').fill('');
  await choice(page, 'Extractor').selectOption(EXTRACTORS[0]);
  const { blocks: labelled } = await judged(page, { extractor: EXTRACTORS[0] });
  assert.ok(labelled.every((block) => block.kept === block.labels[EXTRACTORS[0]]));
  await choice(page, 'Extractor').selectOption('');
  await judged(page, {});
});

inBrowser('a second extractor stands beside the filter', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_words=11`);
  const truth = await judged(page, { min_words: 11 });
  for (const name of EXTRACTORS) {
    await choice(page, 'Compare with').selectOption(name);
    await until(() => parameter(page, 'compare') === name, 'the extractor in the address');
    await judged(page, { min_words: 11 });
    await until(async () => {
      const differ = await blocks(page).evaluateAll((all) => all.map((block) => block.dataset.differs === 'true'));
      assert.deepEqual(differ, truth.blocks.map((block) => block.kept !== block.labels[name]));
      return true;
    });
    const texts = await blocks(page).evaluateAll((all) => all.map((block) => block.textContent));
    for (const [n, block] of truth.blocks.entries()) {
      assert.match(texts[n], new RegExp(`(${block.labels[name] ? '' : 'not '})content for ${name}`), `block ${n}`);
    }
  }
  // Both verdicts move: that of the filter with the filter, the other one not.
  await number(page, 'Minimum words').fill('40');
  const later = await judged(page, { min_words: 40 });
  const differ = await blocks(page).evaluateAll((all) => all.map((block) => block.dataset.differs === 'true'));
  assert.deepEqual(differ, later.blocks.map((block) => block.kept !== block.labels[EXTRACTORS[1]]));
  await choice(page, 'Compare with').selectOption('');
  await until(() => !parameter(page, 'compare'));
  await until(async () => (await blocks(page).locator('[data-kept]').count()) === 0, 'one verdict alone');
});

inBrowser('dropped blocks can be hidden', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_words=11`);
  const truth = await judged(page, { min_words: 11 });
  const visible = () => blocks(page).evaluateAll((all) => all.filter((block) => block.checkVisibility()).map((block) => Number(block.dataset.block)));
  const kept = (answer) => answer.blocks.filter((block) => block.kept).map((block) => block.block);
  assert.equal((await visible()).length, truth.blocks.length);
  await page.getByRole('checkbox', { name: 'Hide dropped blocks', exact: true }).check();
  await until(async () => {
    assert.deepEqual(await visible(), kept(truth));
    return true;
  });
  await number(page, 'Minimum words').fill('30');
  const later = await judged(page, { min_words: 30 });
  assert.deepEqual(await visible(), kept(later));
  await page.reload();
  await judged(page, { min_words: 30 });
  assert.deepEqual(await visible(), kept(later), 'after a reload');
  await page.getByRole('checkbox', { name: 'Hide dropped blocks', exact: true }).uncheck();
  await until(async () => (await visible()).length === later.blocks.length);
});

inBrowser('a shared address restores filter, comparison and hiding', options, async (page, { open }) => {
  await page.goto(`/page?docid=${DOCID}&q=rain`);
  await judged(page, { q: 'rain' });
  await number(page, 'Minimum words').fill('7');
  await choice(page, 'Compare with').selectOption(EXTRACTORS[1]);
  await page.getByRole('checkbox', { name: 'Hide dropped blocks', exact: true }).check();
  await until(() => parameter(page, 'min_words') === '7' && parameter(page, 'compare') === EXTRACTORS[1]);
  await judged(page, { q: 'rain', min_words: 7 });
  const other = await open();
  await other.goto(page.url());
  await judged(other, { q: 'rain', min_words: 7 });
  assert.equal(await number(other, 'Minimum words').inputValue(), '7');
  assert.equal(await choice(other, 'Compare with').inputValue(), EXTRACTORS[1]);
  assert.ok(await other.getByRole('checkbox', { name: 'Hide dropped blocks', exact: true }).isChecked());
  const of = (page) => blocks(page).evaluateAll((all) => all.map((block) => [block.checkVisibility(), block.innerText]));
  assert.deepEqual(await of(other), await of(page));
});

inBrowser('a result carries its search along, and the way back keeps it', options, async (page) => {
  await page.goto('/?q=rain+barrel&min_words=11&model=qld');
  const { results: [, second] } = await shows(page, server, { q: 'rain barrel', min_words: 11, model: 'qld' });
  await items(page).nth(1).getByRole('link').first().click();
  await page.waitForURL('**/page?**');
  assert.equal(parameter(page, 'docid'), second.docid);
  await state(page, 'ready');
  assert.ok((await blocks(page).locator('mark').count()) > 0);
  assert.equal(await number(page, 'Minimum words').inputValue(), '11');
  await page.getByRole('link', { name: /back to the results/i }).click();
  await shows(page, server, { q: 'rain barrel', min_words: 11, model: 'qld' });
});

inBrowser('a result of a single block leads to this block', options, async (page) => {
  await page.goto('/?q=%22rain+barrel%22+lid&unit=block');
  const { results: [first] } = await shows(page, server, { q: '"rain barrel" lid', unit: 'block' });
  await items(page).first().getByRole('link').first().click();
  await page.waitForURL('**/page?**');
  await state(page, 'ready');
  const block = page.locator(`[data-block="${first.block}"]`);
  await until(() => block.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), 'the block in sight');
});

inBrowser('buttons lead from one kept block to the next', options, async (page) => {
  await page.goto(`/page?docid=${DOCID}&min_words=30`);
  const truth = await judged(page, { min_words: 30 });
  const kept = truth.blocks.filter((block) => block.kept).map((block) => block.block);
  assert.ok(kept.length > 2);
  const current = () => page.evaluate(() => document.activeElement?.closest('[data-block]')?.dataset.block ?? null);
  for (const number of kept.slice(0, 3)) {
    await page.getByRole('button', { name: /next kept/i }).click();
    await until(async () => (await current()) === `${number}`, `block ${number}`);
  }
  await page.getByRole('button', { name: /previous kept/i }).click();
  await until(async () => (await current()) === `${kept[1]}`);
});

const LONG = 120;
let longServer;
before(async () => {
  longServer = await serve(long(LONG));
});
const longOptions = { server: () => longServer };

// Such a page once came in one answer of hundreds of megabytes.
inBrowser('a page of long blocks is shown in parts', longOptions, async (page) => {
  await page.goto('/page?docid=long&q=barrel');
  await state(page, 'ready');
  const first = await longServer.json('/api/page', { docid: 'long', q: 'barrel' });
  assert.ok(first.next > 0 && first.next < LONG);
  let have = await blocks(page).count();
  assert.equal(have, first.next);
  while (have < LONG) {
    const before = have;
    await page.getByRole('button', { name: /^More blocks/ }).click();
    have = await until(async () => {
      const now = await blocks(page).count();
      return now > before && now;
    }, 'more blocks');
  }
  assert.deepEqual((await verdicts(page)).map(([number]) => number), [...Array(LONG).keys()]);
  assert.equal(await page.getByRole('button', { name: /^More blocks/ }).count(), 0);
  // Under another filter they are all judged anew.
  await number(page, 'Minimum words').fill('9000');
  await number(page, 'Minimum words').press('Enter');
  await until(async () => (await verdicts(page)).every(([, kept]) => !kept), 'all dropped');
  assert.equal(await blocks(page).count(), LONG);
});

inBrowser('a block far down a page of long blocks is there at once', longOptions, async (page) => {
  await page.goto('/page?docid=long#block-100');
  await state(page, 'ready');
  await page.locator('[data-block="100"]').waitFor({ state: 'attached' });
});
