// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * What the documentation does with a script: copies code, keeps the chosen language, opens forms that send
 * requests, searches. The gateway serves this file as written.
 */

import { addCopyButton, say } from './copy.js';

const LANGUAGE = 'waymark-docs-language';
const SHOWN_RESULTS = 12;
const EXCERPT_CHARACTERS = 120;

/** @param {string} selector */
const all = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);

/** Shows the same language in every group that has it. @param {string | null} language */
function choose(language) {
  for (const input of /** @type {HTMLInputElement[]} */ (all('.tabs input'))) {
    if (input.value === language) input.checked = true;
  }
}

function keepLanguage() {
  try {
    choose(localStorage.getItem(LANGUAGE));
  } catch {
    // The browser keeps nothing for this site.
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.tabs input')) return;
    choose(target.value);
    try {
      localStorage.setItem(LANGUAGE, target.value);
    } catch {
      // As above.
    }
  });
}

/** The reference had one page at /docs: leads an old link to its operation. */
function followOldAnchor() {
  const id = location.hash.slice(1);
  if (id === '' || document.getElementById(id)) return;
  if (location.pathname === '/docs') location.replace(`/docs/reference#${id}`);
  const link = all('main a').find((a) => a.getAttribute('href')?.endsWith(`#${id}`));
  if (link instanceof HTMLAnchorElement) location.replace(link.href);
}

/** Shows the form of an operation that is opened. @param {Event} event */
function openForm({ target }) {
  if (!(target instanceof HTMLDetailsElement) || !target.matches('.try[open]')) return;
  const fail = () => target.append('The form could not be loaded. Reload the page.');
  import('./try.js').then(({ showForm }) => showForm(target)).catch(fail);
}

async function loadIndex() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import(new URL('minisearch.js', import.meta.url).href),
    fetch('/docs/search.json'),
  ]);
  const index = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    storeFields: ['heading', 'title', 'text'],
    searchOptions: { boost: { heading: 3, title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(await response.json());
  return index;
}

/**
 * Returns the text around the first of the terms.
 * @param {string} text
 * @param {string[]} terms
 */
function excerptOf(text, terms) {
  const found = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const before = found.length === 0 ? 0 : Math.max(0, Math.min(...found) - EXCERPT_CHARACTERS / 3);
  const start = before === 0 ? 0 : text.indexOf(' ', before) + 1;
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}

/** @param {{ id: string, title: string, heading: string, text: string, terms: string[] }} hit */
function resultOf({ id, title, heading, text, terms }) {
  const link = document.createElement('a');
  link.href = id;
  link.textContent = heading ? `${title}: ${heading}` : title;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(text, terms);
  link.append(excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function enableSearch() {
  const input = /** @type {HTMLInputElement} */ (document.querySelector('#docs-search'));
  const results = /** @type {HTMLElement} */ (document.querySelector('#docs-results'));
  const form = /** @type {HTMLFormElement} */ (input.form);
  /** @type {ReturnType<typeof loadIndex> | undefined} */
  let loading;
  const open = () => {
    loading ??= loadIndex();
    return loading;
  };
  const close = () => {
    results.hidden = true;
  };

  async function show() {
    const query = input.value.trim();
    const index = await open();
    if (query !== input.value.trim()) return;
    const hits = query === '' ? [] : index.search(query);
    results.replaceChildren(...hits.slice(0, SHOWN_RESULTS).map(resultOf));
    results.hidden = hits.length === 0;
    if (query !== '') say(hits.length === 1 ? '1 result' : `${hits.length || 'No'} results`);
  }

  input.addEventListener('focus', () => void open());
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      input.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || results.hidden) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    const at = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
    stops[(at + step + stops.length) % stops.length]?.focus();
  });
  // The pointer would take the focus from the form before the click arrives.
  results.addEventListener('mousedown', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

// Browsers have a clipboard on https and on this machine only.
if (navigator.clipboard) all('main pre').forEach(addCopyButton);
keepLanguage();
followOldAnchor();
document.addEventListener('toggle', openForm, true);
enableSearch();
