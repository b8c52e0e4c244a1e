// What axe-core finds on every view, in light and dark, wide and narrow.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import axe from 'axe-core';
import { NARROW, WIDE } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
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
      const { violations } = await page.evaluate((rules) => globalThis.axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) }), rules);
      for (const { id, impact, help, nodes } of violations) {
        const text = `${view.name}, ${colorScheme}, ${viewport.width}: ${impact}: ${id}: ${help}: ${nodes.length} times: `
          + nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ');
        t.diagnostic(text);
        if (GRAVE.includes(impact)) grave.push(text);
      }
    }
    assert.deepEqual(grave, []);
  });
}
