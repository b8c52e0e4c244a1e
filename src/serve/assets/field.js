// A text field for an expression. What is typed is taken over once it rests; what is wrong with it is told below, with the place.
import { el, shown } from './dom.js';

const TYPING_MS = 400;
const INDENT = '    ';

/** What is wrong, part by part: a text in words, or the two indented lines that show the place by a caret, one below the other. */
export function told(text) {
  const lines = text.split('\n');
  const place = lines.filter((line) => line.startsWith(INDENT)).map((line) => shown(line.slice(INDENT.length)));
  const words = (some) => some.filter((line) => line.trim()).map((line) => el('p', { class: 'note' }, shown(line.trim())));
  const rest = lines.slice(1).filter((line) => !line.startsWith(INDENT));
  return [
    ...words(lines.slice(0, 1)),
    ...(place.length > 0 ? [el('pre', { class: 'caret', tabindex: 0 }, place.join('\n'))] : []),
    ...words(rest),
  ];
}

/**
 * The field of the parameter `name`. `edit(text, event)` is called with what was typed, `left()` when the field is left as it was.
 */
export function expressionField({ id, name, label, placeholder, edit, left }) {
  let edited = false;
  let timer = 0;
  const take = (event) => {
    clearTimeout(timer);
    edit(box.value, event);
  };
  const box = el('textarea', {
    id,
    rows: 2,
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    placeholder,
    'aria-describedby': `${id}-note`,
    oninput: (event) => {
      edited = true;
      clearTimeout(timer);
      timer = setTimeout(() => take(event), TYPING_MS);
    },
    onkeydown: (event) => {
      if (event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      take(event);
    },
    onblur: () => edited || left(),
  });
  const note = el('div', { id: `${id}-note`, role: 'status', class: 'expression-note' });

  /** Tells what is wrong, a Trouble; null that nothing is. */
  function say(error) {
    box.setAttribute('aria-invalid', String(error !== null));
    const text = error ? [error.message, error.hint].filter(Boolean).join('\n') : '';
    note.replaceChildren(...told(text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text));
  }

  /** What was typed is taken over, or of no more account. */
  function taken() {
    clearTimeout(timer);
    edited = false;
    say(null);
  }

  return {
    root: el('div', { class: 'field' }, el('label', { for: id }, label), box, note),
    say,
    taken,
    /** Shows a text, unless somebody is writing there. */
    show(text) {
      if (edited || document.activeElement === box) return;
      box.value = text;
      say(null);
    },
    /** Shows a text in the place of whatever stands there. */
    put(text) {
      taken();
      box.value = text;
    },
  };
}
