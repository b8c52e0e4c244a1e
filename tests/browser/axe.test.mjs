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

const SCREENS = [['light', WIDE], ['dark', WIDE], ['dark', NARROW], ['light', NARROW]];
const GRAVE = ['serious', 'critical'];

for (const view of [...VIEWS, { name: 'sweep-without-topics', path: '/sweep', without: true }]) {
  const options = { server: () => (view.without ? plain : server), expected: view.expected };
  inBrowser(`${view.name}: axe finds nothing grave`, options, async (page, { t }) => {
    await visit(page, view);
    const grave = [];
    for (const [colorScheme, viewport] of SCREENS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
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
