// The tests' own fonts are what pages are set in, so that no test hangs on those of a machine.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { DEFAULT, WIDE_LETTERS } from './support/fonts.mjs';
import { serve } from './support/server.mjs';
import { VIEWS, visit } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});

const skip = process.platform !== 'linux' && 'other systems have no fontconfig';
inBrowser('pages are set in the fonts that the tests bring', { server: () => server, skip }, async (page) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const seen = new Set();
  for (const view of VIEWS.filter(({ name }) => ['search-results', 'page', 'sweep'].includes(name))) {
    await visit(page, view);
    const { root } = await cdp.send('DOM.getDocument');
    const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'body, body *' });
    for (const nodeId of nodeIds) {
      const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
      for (const { familyName } of fonts) seen.add(familyName);
    }
  }
  const ours = (name) => [DEFAULT, WIDE_LETTERS].some((family) => name.startsWith(family));
  assert.ok(seen.has(DEFAULT));
  assert.deepEqual([...seen].filter((name) => !ours(name)), []);
});
