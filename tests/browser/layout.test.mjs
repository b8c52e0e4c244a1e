// Every view on a narrow screen, and in light and dark.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { NARROW } from './support/browser.mjs';
import { inBrowser } from './support/case.mjs';
import { demo } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { VIEWS, visit } from './support/views.mjs';

let server;
before(async () => {
  server = await serve(demo());
});

/** Elements that reach beyond the right edge and are not inside something that scrolls on its own, for the message. */
function tooWide() {
  const scrolls = (element) => element && (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const all = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
  return all.filter((element) => !scrolls(element.parentElement)).slice(0, 5).map((element) => element.outerHTML.slice(0, 120));
}

for (const view of VIEWS) {
  const options = { server: () => server, expected: view.expected, viewport: NARROW };
  inBrowser(`${view.name}: no scrolling sideways at 360 pixels; light and dark`, options, async (page) => {
    await visit(page, view);
    const light = await page.evaluate(brightness);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await page.evaluate(brightness);
    assert.ok(light.text < 0.3 && light.ground > 0.8, `light: ${JSON.stringify(light)}`);
    assert.ok(dark.text > 0.6 && dark.ground < 0.2, `dark: ${JSON.stringify(dark)}`);
    await page.locator('details').evaluateAll((all) => all.forEach((details) => {
      details.open = true;
    }));
    const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
    assert.ok(wide <= room, `${wide} of ${room} pixels: ${(await page.evaluate(tooWide)).join('\n')}`);
    assert.equal(room, NARROW.width);
  });
}

inBrowser('text can be set larger without loss', { server: () => server, viewport: NARROW }, async (page) => {
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => {
    document.documentElement.style.fontSize = '200%';
  }));
  await visit(page, VIEWS[1]);
  const [wide, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]);
  assert.ok(wide <= room, `${wide} of ${room} pixels: ${(await page.evaluate(tooWide)).join('\n')}`);
});

/** Brightness of text and ground, 0 to 1, as a canvas turns colours into numbers. */
function brightness() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const of = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, opaque] = canvas.getImageData(0, 0, 1, 1).data;
    return opaque === 0 ? null : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  };
  const style = getComputedStyle(document.body);
  const ground = of(style.backgroundColor) ?? of(getComputedStyle(document.documentElement).backgroundColor);
  return { text: of(style.color), ground };
}
