// Collections and indexes, made in a temporary folder by the program under test.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { judgments, lines, topics } from './hostile.mjs';
import { ROOT, TROMMEL } from './server.mjs';

/** Extractors whose verdicts the indexes hold. */
export const EXTRACTORS = ['boilerpipe-article', 'bte'];
/** The extractor that `confident` has besides them, whose verdicts have confidences. */
export const CONFIDENT = 'trommel';

/** A temporary folder, removed when this process' tests are done. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'trommel-browser-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

function trommel(...given) {
  return execFileSync(TROMMEL, given, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();
}

/** The built-in collection: `index`, and `judged`, the arguments that give its topics and judgments. */
export function demo() {
  const path = folder();
  trommel('demo', '--output', path);
  const index = join(path, 'index');
  trommel('label', '--index', index, '--extractor', EXTRACTORS.join(','));
  const judged = ['--topics', join(path, 'demo.topics.xml'), '--qrels', join(path, 'demo.qrels.txt')];
  return { index, judged };
}

/** The built-in collection with the verdicts of CONFIDENT as well, which have confidences. */
export function confident() {
  const made = demo();
  trommel('label', '--index', made.index, '--extractor', CONFIDENT);
  return made;
}

/** Pages made to break pages that show them, with topics and judgments of the same kind. */
export function hostile() {
  const path = folder();
  const [collection, index] = [join(path, 'hostile.jsonl'), join(path, 'index')];
  const [queries, qrels] = [join(path, 'topics.jsonl'), join(path, 'qrels.txt')];
  writeFileSync(collection, lines());
  writeFileSync(queries, topics());
  writeFileSync(qrels, judgments());
  trommel('index', '--index', index, '--extractors', EXTRACTORS.join(','), collection);
  return { index, judged: ['--topics', queries, '--qrels', qrels] };
}

/** A page `long` of long blocks, which no one answer of the API has whole: each holds 8,000 times the word "barrel". */
export function long(count = 120) {
  const path = folder();
  const [collection, index] = [join(path, 'long.jsonl'), join(path, 'index')];
  const html = `<p>${'barrel '.repeat(8000)}</p>`.repeat(count);
  writeFileSync(collection, `${JSON.stringify({ docid: 'long', html })}\n`);
  trommel('index', '--index', index, collection);
  return { index };
}

/** The judged news pages, or undefined where the corpora are missing. */
export function news() {
  const shared = resolve(ROOT, process.env.TROMMEL_SHARED ?? '../shared', 'retrieval/news');
  const collection = join(shared, 'collection.warc.gz');
  if (!existsSync(collection)) return undefined;
  const judged = ['--topics', join(shared, 'topics.A.xml'), '--qrels', join(shared, 'qrels.A.txt')];
  // An index that is there may be named, as a debug build takes a minute.
  if (process.env.TROMMEL_NEWS) return { index: resolve(process.env.TROMMEL_NEWS), judged };
  const index = join(folder(), 'index');
  trommel('index', '--index', index, '--extractors', EXTRACTORS.join(','), collection);
  return { index, judged };
}
