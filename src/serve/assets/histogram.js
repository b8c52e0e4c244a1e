// The distribution of a value over the collection, behind the slider that cuts it.
import { svg } from './dom.js';

const WIDTH = 300;
const HEIGHT = 44;
// The slider's thumb goes from half its width after the start to half its width before the end (16 of about 300 pixels).
const INSET = 8;
let ids = 0;

/** The greatest threshold that a histogram tells of. */
export const end = (data) => data.width * (data.blocks.length - 1);

/**
 * Bars with a root scale: most blocks are short, and on a linear scale nothing else would be seen. Kept bars are solid, dropped
 * ones hatched. `cut(value)` moves the border; with `least` what is above it is kept, else what is below.
 */
export function histogram(data, least) {
  const id = `histogram-${(ids += 1)}`;
  const place = (value) => INSET + ((WIDTH - 2 * INSET) * value) / end(data);
  const bars = svg('path', { class: 'dropped', fill: `url(#${id}-hatch)` });
  const kept = svg('path', { class: 'kept', 'clip-path': `url(#${id}-clip)` });
  const pane = svg('rect', { x: 0, y: 0, width: WIDTH, height: HEIGHT });
  const line = svg('line', { class: 'cut', x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  const root = svg(
    'svg',
    { class: 'histogram', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg(
      'defs',
      null,
      svg('clipPath', { id: `${id}-clip` }, pane),
      svg(
        'pattern',
        { id: `${id}-hatch`, width: 4, height: 4, patternUnits: 'userSpaceOnUse' },
        svg('rect', { class: 'hatch', x: 0, y: 0, width: 4, height: 1.6 }),
      ),
    ),
    bars,
    kept,
    line,
  );

  return {
    root,
    /** Draws `blocks` or `words`. */
    draw(what) {
      const values = data[what].map(Math.sqrt);
      // The last bin of a least value holds all that is greater: it would make the others small, and may stand out at the top instead.
      const highest = Math.max(...(least ? values.slice(0, -1) : values), 1);
      let path = '';
      values.forEach((value, bin) => {
        if (value === 0) return;
        // A threshold parts the bins: those of a least value begin at theirs, those of a greatest one end there.
        const left = Math.max(place((least ? bin : bin - 1) * data.width), 0);
        const right = Math.min(place((least ? bin + 1 : bin) * data.width), WIDTH);
        const y = (HEIGHT * (1 - Math.min(value / highest, 1))).toFixed(2);
        path += `M${left.toFixed(2)} ${HEIGHT}V${y}H${(right - 0.4).toFixed(2)}V${HEIGHT}Z`;
      });
      bars.setAttribute('d', path);
      kept.setAttribute('d', path);
    },
    cut(value) {
      const idle = least ? value <= 0 : value >= end(data);
      const x = Math.min(Math.max(place(value), INSET), WIDTH - INSET);
      pane.setAttribute('x', idle || !least ? 0 : x);
      pane.setAttribute('width', idle ? WIDTH : least ? WIDTH - x : x);
      line.classList.toggle('idle', idle);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    },
  };
}

/** How many blocks and words a threshold keeps, each with the number of all; one between two bins is taken as the lower one. */
export function share(data, value, least) {
  const at = Math.floor(value / data.width + 1e-9);
  const sums = (list) => {
    const all = list.reduce((sum, item) => sum + item, 0);
    return [list.reduce((sum, item, bin) => ((least ? bin >= at : bin <= at) ? sum + item : sum), 0), all];
  };
  return { blocks: sums(data.blocks), words: sums(data.words) };
}
