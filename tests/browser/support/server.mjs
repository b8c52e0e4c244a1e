// Starts and stops `trommel serve`, and asks its API what is true.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The program under test. */
export const TROMMEL = resolve(process.env.TROMMEL_BIN ?? join(ROOT, 'target/debug/trommel'));

/** How long a server may take to print its address, in ms. */
const START = 60_000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Ends all servers that still run. */
export async function killAll() {
  await Promise.all([...running].map((child) => new Promise((done) => child.once('exit', done).kill('SIGKILL'))));
}

/**
 * Serves an index, with topics and judgments if `judged` has the arguments that name them; `port` 0 takes a free one. The server's
 * `url` has no slash at its end.
 */
export async function serve({ index, judged = [] }, port = 0) {
  if (!existsSync(TROMMEL)) throw new Error(`no program ${TROMMEL}: build it, or name it in TROMMEL_BIN`);
  const child = spawn(TROMMEL, ['serve', '--index', index, '--port', `${port}`, ...judged], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const talk = [];
  child.stderr.on('data', (bytes) => talk.push(bytes));
  const ended = new Promise((done) => {
    child.on('exit', (code, signal) => {
      running.delete(child);
      // What it may have started must not keep this process from ending.
      child.stdout.destroy();
      child.stderr.destroy();
      done({ code, signal });
    });
  });
  const url = await firstUrl(child, ended, talk);
  const end = async (signal) => {
    child.kill(signal);
    return ended;
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    /** What the server said on standard error. */
    talk: () => Buffer.concat(talk).toString(),
    /** Asks it to stop; how it ended. */
    stop: () => end('SIGTERM'),
    /** Ends it at once. */
    kill: () => end('SIGKILL'),
    /** An answer of the API: `parameters` is an object or what follows the question mark. */
    json: async (path, parameters = {}) => {
      const answer = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`);
      const body = await answer.json();
      if (!answer.ok) throw new Error(`${answer.status} of ${answer.url}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** The address on the first line of standard output. */
async function firstUrl(child, ended, talk) {
  const lines = createInterface({ input: child.stdout });
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no address within ${START} ms`)), START);
  });
  const early = ended.then(({ code, signal }) => {
    throw new Error(`trommel serve ended with ${code ?? signal}: ${Buffer.concat(talk)}`);
  });
  const first = new Promise((done) => lines.once('line', done));
  try {
    const line = await Promise.race([first, early, late]);
    const url = line.match(/^http:\/\/\S+$/)?.[0];
    if (!url) throw new Error(`no address: ${JSON.stringify(line)}`);
    return url.replace(/\/$/, '');
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
