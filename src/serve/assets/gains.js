// Each topic's gain or loss at a threshold, as a sorted list of bars.
import { byId, el, foreign, plural } from './dom.js';
import { signed } from './reading.js';

/** The list in `#gains`; `choose(id, event)` is called when a topic is chosen. */
export function gainsList(choose) {
  const rows = new Map();

  function makeRow(topic) {
    const fill = el('span', null);
    const value = el('span', { class: 'gain-value' });
    const button = el(
      'button',
      { type: 'button', onclick: (event) => choose(topic.id, event) },
      foreign(topic.query, 'span', { class: 'gain-name' }),
      el('span', { class: 'gain-bar', 'aria-hidden': 'true' }, fill),
      value,
    );
    return { item: el('li', null, button), button, fill, value };
  }

  function pick(id) {
    for (const [key, { button }] of rows) button.setAttribute('aria-pressed', String(key === id));
  }

  /** Shows the difference between the topics' scores `now` and `before`. */
  function show(topics, measure, before, now, chosen) {
    const list = topics.map((topic, i) => ({ topic, difference: now[i] - before[i], now: now[i], before: before[i] }));
    list.sort((a, b) => b.difference - a.difference || (a.topic.id < b.topic.id ? -1 : 1));
    const most = Math.max(...list.map(({ difference }) => Math.abs(difference)), 0.001);
    const gaining = list.filter((one) => one.difference > 0).length;
    const losing = list.filter((one) => one.difference < 0).length;
    byId('gains-about').textContent =
      `${measure} at this threshold less that without a filter: ${gaining} of ${plural(list.length, 'topic')} gain, ${losing} lose. ` +
      'Choose one to see its results.';
    for (const { topic, ...one } of list) {
      if (!rows.has(topic.id)) rows.set(topic.id, makeRow(topic));
      const { button, fill, value } = rows.get(topic.id);
      const part = (Math.abs(one.difference) / most) * 50;
      fill.style.width = `${part}%`;
      fill.style.left = one.difference < 0 ? `${50 - part}%` : '50%';
      fill.className = one.difference < 0 ? 'down' : 'up';
      value.textContent = signed(one.difference);
      button.title = `${one.before.toFixed(3)} without a filter, ${one.now.toFixed(3)} at this threshold`;
    }
    pick(chosen);
    const order = list.map(({ topic }) => rows.get(topic.id).item);
    const host = byId('gains');
    // Only where the order changed: a moved button loses the focus.
    if (order.length === host.childElementCount && order.every((item, i) => host.children[i] === item)) return;
    const focused = host.contains(document.activeElement) ? document.activeElement : null;
    host.replaceChildren(...order);
    focused?.focus({ preventScroll: true });
  }

  return { show, pick };
}
