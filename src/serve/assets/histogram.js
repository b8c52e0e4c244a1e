// The distribution of a value over the collection, behind the slider that cuts it.
import { svg } from './dom.js';

const WIDTH = 300;
const HEIGHT = 44;
// The slider's thumb goes from half its width after the start to half its width before the end (16 of about 300 pixels).
const INSET = 8;
let ids = 0;

/**
 * Bars with a root scale: most blocks are short, and on a linear scale nothing else would be seen. Kept bars are solid, dropped
 * ones hatched. `cut(value)` moves the border; `above` says which side is kept.
 */
export function histogram(data, above) {
  const id = `histogram-${(ids += 1)}`;
  const top = data.from + data.width * (data.blocks.length - 1);
  const place = (value) => INSET + ((WIDTH - 2 * INSET) * (value - data.from)) / (top - data.from);
  const bars = svg('path', { class: 'dropped', fill: `url(#${id}-hatch)` });
  const kept = svg('path', { class: 'kept', 'clip-path': `url(#${id}-clip)` });
  const window_ = svg('rect', { x: 0, y: 0, width: WIDTH, height: HEIGHT });
  const line = svg('line', { class: 'cut', x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  const root = svg('svg', { class: 'histogram', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('defs', null,
      svg('clipPath', { id: `${id}-clip` }, window_),
      svg('pattern', { id: `${id}-hatch`, width: 4, height: 4, patternUnits: 'userSpaceOnUse' },
        svg('rect', { class: 'hatch', x: 0, y: 0, width: 4, height: 1.6 }))),
    bars, kept, line);

  return {
    root,
    /** Draws `blocks` or `words`. */
    draw(what) {
      const values = data[what].map(Math.sqrt);
      // The last bin of a minimum holds all that is greater: it would make the others small, and may stand out at the top instead.
      const highest = Math.max(...(above ? values.slice(0, -1) : values), 1);
      let path = '';
      values.forEach((value, bin) => {
        if (value === 0) return;
        const left = place(data.from + bin * data.width);
        const right = Math.min(place(data.from + (bin + 1) * data.width), WIDTH);
        const y = (HEIGHT * (1 - Math.min(value / highest, 1))).toFixed(2);
        path += `M${left.toFixed(2)} ${HEIGHT}V${y}H${(right - 0.4).toFixed(2)}V${HEIGHT}Z`;
      });
      bars.setAttribute('d', path);
      kept.setAttribute('d', path);
    },
    cut(value) {
      const x = Math.min(Math.max(place(value), 0), WIDTH);
      // A maximum keeps what is equal to it: most of the first bin where it is the least of all, the whole last bin where it is the most.
      const until = above || value >= top ? WIDTH : place(Math.max(value, data.from + data.width));
      const from = above && value > data.from ? x : 0;
      window_.setAttribute('x', from);
      window_.setAttribute('width', Math.max(until - from, 0));
      const idle = above ? value <= data.from : value >= top;
      line.classList.toggle('idle', idle);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    },
  };
}

/**
 * How many blocks and words a threshold keeps, as far as bins tell: a minimum between two bins is taken as the lower one, and of
 * those that are equal to a maximum only the least and the greatest possible values are counted in.
 */
export function share(data, value, above) {
  const bin = Math.floor((value - data.from) / data.width + 1e-9);
  const sums = (list) => {
    const all = list.reduce((sum, item) => sum + item, 0);
    const part = list.reduce((sum, item, i) => (above ? i >= bin : i < Math.max(bin, 1) || bin >= list.length - 1) ? sum + item : sum, 0);
    return [part, all];
  };
  return { blocks: sums(data.blocks), words: sums(data.words) };
}
