// Chromium, and watching what pages do in it.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { environment } from './fonts.mjs';

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
/** The one browser of this process; it has a profile of its own in a temporary folder, and the fonts that the tests bring. */
export function browser() {
  launched ??= chromium.launch({ executablePath: executable(), args: FLAGS, headless: true, env: { ...process.env, ...environment() } });
  return launched;
}

/** Closes it, if it was opened. */
export async function closeBrowser() {
  await (await launched)?.close();
}

/** Notes whatever pages of a context do that they should not; `expected` are patterns of what belongs to the test. */
export async function watch(context, base, expected, problems) {
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
