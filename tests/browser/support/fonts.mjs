// The fonts that the tests bring. Layout depends on them, so a browser under test sees no others, whatever its machine has.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { folder } from './fixtures.mjs';

const from = createRequire(import.meta.url);
const FOLDERS = ['@expo-google-fonts/arimo', 'dejavu-fonts-ttf'].map((name) => dirname(from.resolve(`${name}/package.json`)));

/** What text is set in: Arimo has the measures of Arial, Helvetica and Liberation Sans. */
export const DEFAULT = 'Arimo';
/** Wide letters, and the signs that others lack. */
export const WIDE_LETTERS = 'DejaVu Sans';

const prefer = (family, ...fonts) =>
  `<alias binding="strong"><family>${family}</family><prefer>${fonts.map((font) => `<family>${font}</family>`).join('')}</prefer></alias>`;

/** Variables of the environment that show these fonts alone to a browser on Linux; other systems do not ask fontconfig. */
export function environment() {
  const path = folder();
  const cache = join(path, 'cache');
  mkdirSync(cache);
  const file = join(path, 'fonts.conf');
  const lines = [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    ...FOLDERS.map((folder) => `<dir>${folder}</dir>`),
    `<cachedir>${cache}</cachedir>`,
    ...['system-ui', 'sans-serif', 'Arial', 'Helvetica Neue'].map((family) => prefer(family, DEFAULT, WIDE_LETTERS)),
    ...['monospace', 'ui-monospace'].map((family) => prefer(family, 'DejaVu Sans Mono')),
    `<match><edit name="family" mode="append_last" binding="weak"><string>${DEFAULT}</string><string>${WIDE_LETTERS}</string></edit></match>`,
    '</fontconfig>',
  ];
  writeFileSync(file, lines.join('\n'));
  return { FONTCONFIG_FILE: file };
}

/** Fonts that differ much: wide letters; as flat, and as tall, as fonts of other scripts are. */
export const FONTS = [
  { name: WIDE_LETTERS, source: `local("${WIDE_LETTERS}")` },
  { name: 'flat', source: `local("${DEFAULT} Regular")`, measures: { ascentOverride: '60%', descentOverride: '10%', lineGapOverride: '0%', sizeAdjust: '80%' } },
  { name: 'tall', source: `local("${DEFAULT} Regular")`, measures: { ascentOverride: '160%', descentOverride: '70%', lineGapOverride: '20%', sizeAdjust: '120%' } },
];

/** Sets all text of a page in one of them; `font` as of FONTS. A style sheet made by a script is what the page's policy allows. */
export async function setIn(page, font) {
  await page.evaluate(async ({ name, source, measures }) => {
    const face = new FontFace(`tried ${name}`, source, measures);
    document.fonts.add(await face.load());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { font-family: "tried ${name}" !important; }`);
    document.adoptedStyleSheets = [sheet];
    await document.fonts.ready;
  }, font);
}
