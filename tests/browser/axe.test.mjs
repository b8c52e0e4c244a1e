// What axe-core finds on every view, in light and dark, wide and narrow.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import axe from 'axe-core';
import { NARROW, WIDE } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { FONTS, setIn } from './support/fonts.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { VIEWS, visit } from './support/views.mjs';

let server;
let plain;
before(async () => {
  const fixture = demo();
  server = await serve(fixture);
  plain = await serve({ index: fixture.index });
});

// All rules for two of the four, and for the others those that colours and widths can change.
const LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];
const SCREENS = [['light', WIDE, null], ['dark', WIDE, LOOKS], ['dark', NARROW, null], ['light', NARROW, LOOKS]];
const GRAVE = ['serious', 'critical'];

for (const view of [...VIEWS, { name: 'sweep-without-topics', path: '/sweep', without: true }]) {
  const options = { server: () => (view.without ? plain : server), expected: view.expected };
  inBrowser(`${view.name}: axe finds nothing grave`, options, async (page, { t }) => {
    await visit(page, view);
    const grave = [];
    for (const [colorScheme, viewport, rules] of SCREENS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe.source);
      for (const [impact, found] of await violations(page, rules)) {
        const text = `${view.name}, ${colorScheme}, ${viewport.width}: ${impact}: ${found}`;
        t.diagnostic(text);
        if (GRAVE.includes(impact)) grave.push(text);
      }
    }
    assert.deepEqual(grave, []);
  });
}

/** Impact and description of each rule of axe that is violated, of all rules or of some. */
async function violations(page, rules) {
  const { violations } = await page.evaluate((rules) => globalThis.axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) }), rules);
  return violations.map(({ id, impact, help, nodes }) => [
    impact,
    `${id}: ${help}: ${nodes.length} times: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`,
  ]);
}

// The least height and width of a target that axe-core wants, without what it makes up for by the space around.
const LEAST = 24;

// A result's links once were as high as the font's letters: whether that was enough hung on where the titles ended.
for (const view of VIEWS) {
  const options = { server: () => server, expected: view.expected };
  inBrowser(`${view.name}: links of results are targets in any font`, options, async (page) => {
    await visit(page, view);
    await page.evaluate(axe.source);
    for (const font of [null, ...FONTS]) {
      if (font) await setIn(page, font);
      for (const viewport of [WIDE, NARROW]) {
        await page.setViewportSize(viewport);
        const name = `${font?.name ?? 'as it is'}, ${viewport.width}`;
        assert.deepEqual(await violations(page, ['target-size']), [], name);
        const links = await page.locator('a.title, a.url').evaluateAll((links) => links.map((link) => {
          const { width, height } = link.getBoundingClientRect();
          return { width, height };
        }));
        for (const { width, height } of links) assert.ok(width >= LEAST && height >= LEAST, `${name}: ${width} × ${height}`);
      }
    }
  });
}
