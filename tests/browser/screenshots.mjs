// `node screenshots.mjs FOLDER` makes a picture of every view, in light and dark, wide and narrow.
// `--news` takes the news collection for the demo's, where it is there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NARROW, WIDE, browser, closeBrowser, quiet } from './support/browser.mjs';
import { demo, news } from './support/fixtures.mjs';
import { serve } from './support/server.mjs';
import { VIEWS, visit } from './support/views.mjs';

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (!folder) {
  console.error('usage: node screenshots.mjs FOLDER [--news]');
  process.exit(2);
}

/** Views of the news pages in the place of the demo's. */
const NEWS = [
  { name: 'search-empty', path: '/' },
  { name: 'search-results', path: '/?q=Benazir+Bhutto+assassination&min_words=11&max_link_density=0.33' },
  { name: 'search-explained', path: '/?q=Benazir+Bhutto+assassination&min_words=11&explain=true&k=3' },
  { name: 'search-blocks', path: '/?q=%22Benazir+Bhutto%22&unit=block&min_words=5' },
  { name: 'search-topic', path: '/?topic=1&min_words=20&extractor=bte' },
  { name: 'sweep', path: '/sweep' },
  { name: 'sweep-topic', path: '/sweep?vary=max_link_density&topic=2' },
];

const asked = process.argv.includes('--news') ? news() : undefined;
const server = await serve(asked ?? demo());
let views = VIEWS;
if (asked) {
  const { results } = await server.json('/api/search', { q: 'Benazir Bhutto assassination', min_words: 11, k: 1 });
  const page = `/page?docid=${encodeURIComponent(results[0].docid)}&q=Benazir+Bhutto+assassination&min_words=11`;
  views = [...NEWS, { name: 'page', path: page }, { name: 'page-compare', path: `${page}&extractor=bte&compare=boilerpipe-article` }];
}

mkdirSync(folder, { recursive: true });
try {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of [['wide', WIDE], ['narrow', NARROW]]) {
      const context = await (await browser()).newContext({ baseURL: server.url, viewport, colorScheme });
      const page = await context.newPage();
      for (const view of views) {
        await visit(page, view);
        // A tall window in the place of the whole page, which can be very long; what is out of sight is not painted.
        await page.setViewportSize({ width: viewport.width, height: 2 * viewport.height });
        await quiet(page);
        await page.screenshot({ path: join(folder, `${view.name}-${size}-${colorScheme}.png`) });
        await page.setViewportSize(viewport);
      }
      await context.close();
    }
  }
} finally {
  await closeBrowser();
  await server.kill();
}
