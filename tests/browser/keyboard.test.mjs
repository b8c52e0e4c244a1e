// Everything can be done with the keyboard alone.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { until } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { SLIDERS, VIEWS, blocks, items, parameter, queryBox, shows, slider, state, visit } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});
const options = { server: () => server };

/** Remembers what could have the focus. */
function listTabbables() {
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const all = [...document.querySelectorAll(kinds)].filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  globalThis.__tabbables = all;
  return all.length;
}

/** Where the focus is: the number among the tabbables, -1 for what was not counted, null for nothing; and whether one sees it. */
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const seen = element.matches(':focus-visible') && (outlined || style.boxShadow !== 'none');
  return { n: globalThis.__tabbables.indexOf(element), seen, html: element.outerHTML.slice(0, 120) };
}

for (const view of VIEWS) {
  inBrowser(`${view.name}: Tab comes to everything and is nowhere trapped`, { ...options, expected: view.expected }, async (page) => {
    await visit(page, view);
    await page.evaluate(() => document.activeElement.blur());
    const count = await page.evaluate(listTabbables);
    assert.ok(count > 0);
    const visited = new Set();
    let last = null;
    // What scrolls on its own has the focus, too, without being on the list.
    for (let n = 0; n < 2 * count + 20 && visited.size < count; n += 1) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate(focused);
      if (now && now.n >= 0) {
        assert.notEqual(now.n, last, `trapped in ${now.html}`);
        assert.ok(now.seen, `the focus is not seen on ${now.html}`);
        visited.add(now.n);
      }
      last = now?.n ?? null;
    }
    const missed = await page.evaluate((visited) => globalThis.__tabbables.filter((_, n) => !visited.includes(n))
      .map((element) => element.outerHTML.slice(0, 120)), [...visited]);
    assert.deepEqual(missed, [], 'what Tab does not come to');
  });
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, locator, key = 'Tab') {
  const there = () => locator.evaluate((element) => element === document.activeElement);
  for (let n = 0; n < 200; n += 1) {
    if (await there()) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not come to ${locator}`);
}

inBrowser('search, filter and read a page without a mouse', options, async (page) => {
  await page.goto('/');
  await state(page, 'ready');
  await tabTo(page, queryBox(page));
  await page.keyboard.type('rain barrel');
  await shows(page, server, { q: 'rain barrel' });
  for (const [name, arrow, key] of [['Minimum words', 'ArrowRight', 'min_words'], ['Maximum link density', 'ArrowLeft', 'max_link_density']]) {
    await tabTo(page, slider(page, name));
    for (let n = 0; n < 8; n += 1) await page.keyboard.press(arrow);
    await until(() => parameter(page, key), `${key} in the address`);
  }
  await until(async () => Number(parameter(page, 'min_words')) === 8);
  const link = parameter(page, 'max_link_density');
  await shows(page, server, { q: 'rain barrel', min_words: 8, max_link_density: link });
  const first = items(page).first().getByRole('link').first();
  await tabTo(page, first);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/page?**');
  await state(page, 'ready');
  assert.ok((await blocks(page).count()) > 0);
  // The browser's own key for this does not reach a page without a window.
  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/');
  await shows(page, server, { q: 'rain barrel', min_words: 8, max_link_density: link });
});

inBrowser('the slash key leads to the query box, but is typed where one types', options, async (page) => {
  await page.goto('/?q=rain');
  await shows(page, server, { q: 'rain' });
  await slider(page, SLIDERS[0]).focus();
  await page.keyboard.press('/');
  assert.ok(await queryBox(page).evaluate((box) => box === document.activeElement));
  await queryBox(page).press('End');
  await page.keyboard.type('a/b');
  assert.equal(await queryBox(page).inputValue(), 'raina/b');
});

inBrowser('moving a slider with the keyboard keeps the focus on it', options, async (page) => {
  await page.goto('/?q=rain+barrel');
  await shows(page, server, { q: 'rain barrel' });
  const control = slider(page, 'Minimum words');
  await control.focus();
  for (let n = 1; n <= 5; n += 1) {
    await page.keyboard.press('ArrowRight');
    await shows(page, server, { q: 'rain barrel', min_words: n });
    assert.ok(await control.evaluate((element) => element === document.activeElement));
  }
  for (const [key, value] of [['Home', null], ['End', /\d+/]]) {
    await page.keyboard.press(key);
    await until(() => (value ? value.test(parameter(page, 'min_words') ?? '') : !parameter(page, 'min_words')), key);
  }
});
