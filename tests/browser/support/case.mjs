// Tests with a page that is watched: whatever it says, throws or asks for that it should not fails the test.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PATIENCE, WIDE, browser, closeBrowser, quiet, watch } from './browser.mjs';
import { killAll } from './server.mjs';

after(closeBrowser);
after(killAll);

/**
 * A test with a page of a fresh browser context. `options` may have `server` (a function: the server that the page may ask),
 * `viewport`, `colorScheme`, `expected` (patterns of console messages that belong to the test, such as of a status 400) and
 * what node:test takes. `body` gets the page and `{open}`, which gives a page of another fresh context that is watched too.
 */
export function inBrowser(name, options, body) {
  const { server, viewport = WIDE, colorScheme = 'light', expected = [], ...rest } = options;
  test(name, { timeout: 6 * PATIENCE, ...rest }, async (t) => {
    const base = server().url;
    const problems = [];
    const contexts = [];
    const open = async () => {
      const context = await (await browser()).newContext({ baseURL: base, viewport, colorScheme });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE);
      await watch(context, base, expected, problems);
      return context.newPage();
    };
    try {
      await body(await open(), { open, t });
      for (const context of contexts) await Promise.all(context.pages().map(quiet));
    } catch (error) {
      // What the page said explains most failures.
      if (problems.length) error.message += `\nthe page: ${problems.join('\nthe page: ')}`;
      throw error;
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
    }
    assert.deepEqual(problems, [], 'what pages said, threw, or asked for');
  });
}
