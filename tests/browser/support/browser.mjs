// Opens pages in Chromium and watches them: whatever a page says, throws or asks for that it should not fails the test.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 740 };

/** How long anything is waited for, in ms. */
export const PATIENCE = 20_000;

/** The browser: CHROMIUM, or what the path has. */
export function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = paths.find((path) => existsSync(path));
  if (!path) throw new Error('no chromium on the path; CHROMIUM may name one');
  return path;
}

let launched;
after(async () => (await launched)?.close());

/** The one browser of this process; it has a profile of its own in a temporary folder. */
export function browser() {
  launched ??= chromium.launch({ executablePath: executable(), args: FLAGS, headless: true });
  return launched;
}

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

async function watch(context, base, expected, problems) {
  const note = (text) => expected.some((pattern) => pattern.test(text)) || problems.push(text);
  await context.exposeBinding('__violation', (_, text) => note(`content security policy: ${text}`));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      globalThis.__violation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  context.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type())) return;
    note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => note(`thrown: ${error.error().stack ?? error.error()}`));
  context.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== new URL(base).origin) note(`foreign request: ${request.url()}`);
  });
  context.on('page', (page) => page.on('popup', () => note('popup')));
}

/** Lets a page do what it has queued: two frames, so that what an event set off has been said. */
export async function quiet(page) {
  if (page.isClosed()) return;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))).catch(() => {});
}

/**
 * Waits until `check` neither throws nor gives false; its last error otherwise. What it gives is given back.
 */
export async function until(check, what = 'a condition') {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      const value = await check();
      if (value !== false && value !== null && value !== undefined) return value;
      if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((done) => setTimeout(done, 25));
  }
}
