// A curve with its interval, drawn for the width that it has.
import { svg } from './dom.js';

const HEIGHT = 300;
const LEFT = 46;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 40;

/** Round numbers from `low` to `high`, about `wanted` of them. */
function ticks(low, high, wanted) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw);
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9; i += 1) list.push(Number((i * step).toPrecision(12)));
  return list;
}

/**
 * A chart in `host`. `draw(data)` takes `{points: [{x, y, low, high}], reference, best, xName, yName, label}`, where `best` is the
 * number of a point; `mark(i)` shows a point; `pointed(i, stays)` is called with the point nearest to the pointer, `null` when it
 * leaves; `stays` for a click.
 */
export function chart(host, pointed) {
  let data = null;
  let at = 0;
  let width = 0;
  let place = null;
  let cursor = null;
  let dot = null;

  function redraw() {
    if (!data || width === 0) return;
    const { points, reference } = data;
    const low = Math.min(...points.map((point) => point.low), reference);
    const high = Math.max(...points.map((point) => point.high), reference);
    const room = (high - low) * 0.04 || 0.05;
    const yTicks = ticks(Math.max(low - room, 0), high + room, 5);
    const bottom = Math.min(low - room, yTicks[0] ?? low);
    const top = Math.max(high + room, yTicks.at(-1) ?? high);
    const [first, last] = [points[0].x, points.at(-1).x];
    const x = (value) => LEFT + ((width - LEFT - RIGHT) * (value - first)) / (last - first || 1);
    const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (top - value)) / (top - bottom || 1);
    place = { x, y };
    const line = (values) => values.map(([px, py], i) => `${i ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
    const over = points.map((point) => [x(point.x), y(point.high)]);
    const under = points.map((point) => [x(point.x), y(point.low)]).reverse();
    const picture = svg('svg', {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: 'img',
      'aria-label': data.label,
    });
    for (const value of yTicks) {
      picture.append(
        svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        svg('text', { class: 'tick', x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, String(value)),
      );
    }
    for (const value of ticks(first, last, width < 500 ? 5 : 10)) {
      picture.append(
        svg('text', { class: 'tick', x: x(value), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle' }, String(value)),
      );
    }
    picture.append(
      svg('text', { class: 'name', x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 4, 'text-anchor': 'middle' }, data.xName),
      svg('path', { class: 'band', d: `${line([...over, ...under])}Z` }),
      svg('line', { class: 'reference', x1: LEFT, x2: width - RIGHT, y1: y(reference), y2: y(reference) }),
      svg('path', { class: 'curve', d: line(points.map((point) => [x(point.x), y(point.y)])) }),
    );
    if (data.best !== null) {
      const best = points[data.best];
      picture.append(svg('text', { class: 'best', x: x(best.x), y: y(best.y) - 7, 'text-anchor': 'middle' }, '★'));
    }
    cursor = svg('line', { class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM });
    dot = svg('circle', { class: 'dot', r: 5 });
    picture.append(cursor, dot);
    host.replaceChildren(picture);
    mark(at);
  }

  function mark(i) {
    at = i;
    if (!place || !data?.points[i]) return;
    const { x, y } = data.points[i];
    cursor.setAttribute('x1', place.x(x));
    cursor.setAttribute('x2', place.x(x));
    dot.setAttribute('cx', place.x(x));
    dot.setAttribute('cy', place.y(y));
  }

  function nearest(event) {
    if (!data) return null;
    const box = host.getBoundingClientRect();
    const inside = (event.clientX - box.left - LEFT) / (width - LEFT - RIGHT);
    const { points } = data;
    const value = points[0].x + inside * (points.at(-1).x - points[0].x);
    let best = 0;
    points.forEach((point, i) => {
      if (Math.abs(point.x - value) < Math.abs(points[best].x - value)) best = i;
    });
    return best;
  }
  let last = null;
  const tell = (i, stays, event) => {
    if (i === last && !stays) return;
    last = i;
    pointed(i, stays, event);
  };
  host.addEventListener('pointermove', (event) =>
    tell(nearest(event), event.pointerType !== 'mouse' || event.buttons === 1, event),
  );
  host.addEventListener('pointerdown', (event) => tell(nearest(event), true, event));
  host.addEventListener('pointerleave', (event) => tell(null, false, event));

  new ResizeObserver(() => {
    const now = Math.round(host.clientWidth);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(host);

  return {
    draw(next) {
      data = next;
      width = Math.round(host.clientWidth);
      redraw();
    },
    mark,
  };
}
