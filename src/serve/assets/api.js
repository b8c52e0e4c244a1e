// Requests to the server's JSON, and what is done when they fail.

/** What went wrong: `gone` (no answer), `busy` (503), `refused` (the request is wrong), `failed` (the server is). */
export class Trouble extends Error {
  constructor(kind, text, hint = '', wait = 0) {
    super(text);
    this.kind = kind;
    this.hint = hint;
    this.wait = wait;
  }
}

/** The address of a request; parameters without a value are left out. */
function locate(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== '') query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** One request. Gives status and body, or throws a Trouble, or an AbortError. */
export async function get(path, parameters = {}, signal = undefined) {
  let response;
  let body;
  try {
    response = await fetch(locate(path, parameters), { signal });
    body = await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    if (error instanceof SyntaxError) throw new Trouble('failed', 'The server answered with something that is no JSON.');
    throw new Trouble('gone', 'The server does not answer.', 'Is trommel serve still running?');
  }
  if (response.ok) return { status: response.status, body };
  const text = body.error ?? `status ${response.status}`;
  if (response.status === 503) {
    throw new Trouble('busy', `The server is busy: ${text}`, body.hint, Number(response.headers.get('Retry-After')) || 1);
  }
  throw new Trouble(response.status >= 500 ? 'failed' : 'refused', text, body.hint);
}

/** Breaks a sweep off that is being computed; also when the page is closed. Who is not heard has lost nothing: sweeps that nobody asks after end. */
export function drop(path, parameters) {
  fetch(locate(path, parameters), { method: 'DELETE', keepalive: true }).catch(() => {});
}

// While a slider moves, a request that is this young may still finish, so that results keep coming. Older ones make way.
const PATIENCE_MS = 250;
const RETRIES_S = [1, 2, 4];

/**
 * One line of requests of which only the newest counts: an older answer never comes after a newer one. `run(job, signal)` asks,
 * `done(answer, job)` takes the answer, `trouble(error, job)` hears of failures and, with null, that all is well again. Where the
 * server is gone or busy the newest job is asked for again by itself.
 */
export function channel({ run, done, trouble }) {
  let current = null;
  let waiting = null;
  let retry = 0;
  let patience = 0;
  let failures = 0;

  function start(job) {
    const mine = { control: new AbortController(), since: performance.now(), job };
    current = mine;
    run(job, mine.control.signal).then(
      (answer) => finish(mine, () => succeed(answer, job)),
      (error) => finish(mine, () => fail(error, job)),
    );
  }
  function finish(mine, then) {
    if (current !== mine) return;
    current = null;
    then();
    if (waiting !== null && current === null) startWaiting();
  }
  function startWaiting() {
    const next = waiting;
    stop();
    start(next);
  }
  function stop() {
    clearTimeout(retry);
    clearTimeout(patience);
    waiting = null;
    const old = current;
    current = null;
    old?.control.abort();
  }
  function succeed(answer, job) {
    failures = 0;
    trouble(null, job);
    done(answer, job);
  }
  function fail(error, job) {
    if (error.name === 'AbortError') return;
    trouble(error, job);
    if (error.kind !== 'gone' && error.kind !== 'busy') return;
    const seconds = Math.max(error.wait, RETRIES_S[Math.min(failures, RETRIES_S.length - 1)]);
    failures += 1;
    retry = setTimeout(() => start(job), seconds * 1000);
  }
  return {
    /** Asks; with `patient`, lets a young request before it finish. */
    ask(job, patient = false) {
      const left = current ? current.since + PATIENCE_MS - performance.now() : 0;
      if (patient && left > 0) {
        if (waiting === null) patience = setTimeout(startWaiting, left);
        waiting = job;
        return;
      }
      stop();
      start(job);
    },
    /** Forgets whatever is under way. */
    stop,
  };
}
