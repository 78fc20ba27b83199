// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { addCopyButton } from './copy.js';

/**
 * The forms of the reference, with fields from openapi.json. docs.js loads this file when one is opened.
 *
 * @typedef {Record<string, any>} Described A part of openapi.json.
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
 * @typedef {ReturnType<typeof fieldOf>} Field
 */

const BASE_PATH = '/v1';
const KEY = 'waymark-docs-key';
const AUTHORIZATION = {
  ...{ name: 'Authorization', in: 'header', schema: { type: 'string', format: 'API key' } },
  description: 'Kept until you close the tab. Without a key, the session of this browser is used.',
};
const SHOWN_EVENTS = 100;
const SHOWN_BYTES = 1_000_000;
/** Longer texts have several lines. */
const LINE_CHARACTERS = 500;

const { paths, components } = await fetch(`${BASE_PATH}/openapi.json`).then((response) => response.json());

/** Adds the form of the operation in whose section `details` is. @param {HTMLDetailsElement} details */
export function showForm(details) {
  if (details.querySelector('form')) return;
  const heading = details.closest('section')?.querySelector('h2');
  const [method = '', path = ''] = heading?.textContent.split(' ') ?? [];
  const operation = paths[path][method.toLowerCase()];
  const takesKey = operation.security.some((/** @type {Described} */ { bearer }) => bearer);
  const parameters = parametersOf(operation).filter(
    ({ deprecated, schema }) => !deprecated && !schema.deprecated,
  );
  if (takesKey) parameters.unshift(AUTHORIZATION);
  const fields = parameters.map((parameter) => fieldOf(`${heading?.id}`, parameter));
  if (takesKey && fields[0]) shareKey(fields[0]);

  const status = /** @type {HTMLElement} */ (details.querySelector('p'));
  const answer = element('div', {});
  const submit = element('button', {}, `Send ${method} ${BASE_PATH}${path}`);
  const stop = element('button', { type: 'button', hidden: true }, 'Stop');
  const rows = [...fields.map(({ row }) => row), element('p', {}, submit, ' ', stop)];
  const form = element('form', { autocomplete: 'off' }, ...rows);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!stop.hidden) return;
    const controller = new AbortController();
    stop.onclick = () => controller.abort();
    stop.hidden = false;
    answer.replaceChildren();
    status.textContent = 'Sending…';
    try {
      const request = requestOf(method, path, fields);
      const startMs = performance.now();
      const response = await fetch(request, { signal: controller.signal });
      const ms = Math.round(performance.now() - startMs);
      const result = response.status || 'A redirect, which scripts may not read,';
      status.textContent = `${result} ${response.statusText} in ${ms} ms: ${method} ${request.url}`;
      await showAnswer(response, answer);
    } catch (error) {
      status.textContent = controller.signal.aborted
        ? `${status.textContent} Stopped.`
        : `No answer. Check the connection, then send it again. The browser says: ${error}`;
    }
    if (document.activeElement === stop) submit.focus();
    stop.hidden = true;
  });
  status.before(form);
  status.after(answer);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** @param {Described} value @returns {Described} */
const resolve = (value) => (value.$ref ? components.schemas[value.$ref.split('/').at(-1)] : value);

/**
 * The parameters, and the fields of the body in JSON. A body without named fields is one document.
 * @param {Described} operation
 * @returns {Described[]}
 */
function parametersOf({ parameters: all = [], requestBody }) {
  const parameters = all.map(withoutList);
  const media = requestBody?.content['application/json'];
  if (!media) return parameters;
  const { properties, required = [] } = resolve(media.schema);
  if (!properties) return [...parameters, { ...media, name: 'body', in: 'document', required: true }];
  const examples = resolve(media.schema).examples?.[0];
  const fields = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'body', schema, required: required.includes(name), example: examples[name] },
    description: schema.description ?? resolve(schema).description,
  }));
  return [...parameters, ...fields];
}

/** A list in a query is one text. @param {Described} parameter @returns {Described} */
function withoutList(parameter) {
  const { in: where, schema, description = '' } = parameter;
  if (where !== 'query' || schema.type !== 'array') return parameter;
  const values = schema.items.enum?.join(', ') ?? 'values';
  return {
    ...parameter,
    schema: { type: 'string' },
    description: `${description}. One or several of ${values}, separated by commas`,
  };
}

/** The alternatives of a schema, each with one type. @param {Described} schema @returns {Described[]} */
function alternativesOf(schema) {
  const found = resolve(schema);
  const choices = found.type ? undefined : (found.anyOf ?? found.oneOf);
  if (choices) return choices.flatMap(alternativesOf);
  return [found.type ?? 'object'].flat().map((type) => ({ ...found, type }));
}

/** The values of a schema that lists them. @param {Described} schema @returns {unknown[] | undefined} */
const listedValues = ({ enum: values, type }) => (type === 'boolean' ? [true, false] : values);

/** @param {string} operationId @param {Described} parameter */
function fieldOf(operationId, { name, in: where, schema, required = false, description = '', ...rest }) {
  const { example = schema.examples?.[0] } = rest;
  const all = alternativesOf(schema);
  const schemas = all.filter(({ type }) => type !== 'null');
  const isNullable = schemas.length < all.length;
  const isText = schemas.every(({ type }) => type === 'string');
  const isNumber = schemas.every(({ type }) => type === 'integer' || type === 'number');
  const isLong =
    where === 'body' && schemas.some(({ maxLength, format }) => !format && maxLength > LINE_CHARACTERS);
  let types = [...new Set(all.map(({ type, format }) => format ?? type))].join(' or ');
  /** @type {Control} */
  let control = element('textarea', {});
  if (schemas.every(listedValues)) {
    const values = ['', ...schemas.flatMap(listedValues), ...(isNullable ? [null] : [])];
    control = element('select', {}, ...values.map((value) => new Option(String(value))));
  } else if (isNumber || (isText && !isLong)) {
    control = element('input', { type: isNumber && !isNullable ? 'number' : 'text', step: 'any' });
  } else if (!isText) {
    types += ' in JSON';
    control.placeholder = example === undefined ? '' : `Example: ${JSON.stringify(example)}`;
    control.oninput = () => {
      control.setCustomValidity(parsed(control.value || 'null') === undefined ? 'This is not JSON' : '');
    };
  }
  control.required = required;
  // The id of an example is the id of no record.
  if (required && example !== undefined && schema.format !== 'uuid') {
    control.value = isText ? example : JSON.stringify(example, null, 2);
  }
  control.id = `${operationId}-${where}-${name}`;
  const about = ` ${where}, ${types}${required ? ', required' : ''}`;
  const label = element('label', { htmlFor: control.id }, element('code', {}, name), about);
  const help = element('small', { id: `${control.id}-help` }, description);
  control.setAttribute('aria-describedby', help.id);
  const row = element('div', {}, label, control, help);
  return { name, where, isText, isNullable, control, row };
}

/** The value of a text in JSON; undefined for another text. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value that a field has in a body. The answer says what is wrong with a number. @param {Field} field */
function valueIn({ isText, isNullable, control }) {
  const value = parsed(control.value);
  return (isText ? isNullable && value === null : value !== undefined) ? value : control.value;
}

/** Lets all forms have the same key. @param {Field} field */
function shareKey({ control }) {
  // Browsers ignore "off" and fill in the password of the console.
  Object.assign(control, { type: 'password', autocomplete: 'new-password', className: 'key' });
  control.value = sessionStorage.getItem(KEY) ?? '';
  control.oninput = () => {
    sessionStorage.setItem(KEY, control.value);
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.key'));
    for (const input of inputs) input.value = control.value;
  };
}

/** @param {string} method @param {string} path @param {Field[]} fields */
function requestOf(method, path, fields) {
  const headers = new Headers();
  const query = new URLSearchParams();
  /** @type {Described} */
  let object = {};
  let address = BASE_PATH + path;
  for (const field of fields) {
    const { name, where, control } = field;
    if (where === 'body' || where === 'document') headers.set('Content-Type', 'application/json');
    if (control.value === '') continue;
    if (where === 'path') address = address.replace(`{${name}}`, encodeURIComponent(control.value));
    if (where === 'query') query.set(name, control.value);
    if (where === 'header') headers.set(name, control.value);
    if (where === 'body') object[name] = valueIn(field);
    if (where === 'document') object = valueIn(field);
  }
  if (query.size > 0) address += `?${query}`;
  const body = headers.has('Content-Type') ? JSON.stringify(object) : null;
  const key = headers.get('Authorization');
  if (key) headers.set('Authorization', `Bearer ${key}`);
  const credentials = key ? 'omit' : 'same-origin';
  return new Request(address, { method, headers, body, credentials, redirect: 'manual' });
}

/** @param {Response} response @param {HTMLElement} answer */
async function showAnswer(response, answer) {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  if (headers.length > 0) show(answer, 'Response headers', headers.join('\n'));
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return showEvents(response, show(answer, 'Latest events', ''));
  const blob = await response.blob();
  if (blob.size === 0) return;
  if (/^text\/|json/.test(type) && blob.size <= SHOWN_BYTES) {
    const text = await blob.text();
    const value = parsed(text);
    const pre = show(answer, 'Body', value === undefined ? text : JSON.stringify(value, null, 2));
    if (navigator.clipboard) addCopyButton(pre);
    return;
  }
  const [, download = ''] = /filename="([^"]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const link = element('a', { href: URL.createObjectURL(blob), download }, 'Download');
  answer.append(element('p', {}, `${blob.size.toLocaleString('en')} bytes. `, link));
}

/** Shows events until the stream ends or is stopped. @param {Response} response @param {HTMLElement} pre */
async function showEvents({ body }, pre) {
  const reader = /** @type {ReadableStream} */ (body).pipeThrough(new TextDecoderStream()).getReader();
  /** @type {string[]} */
  let events = [];
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    events = [...events, ...blocks.filter((block) => !block.startsWith(':'))].slice(-SHOWN_EVENTS);
    pre.textContent = events.join('\n\n');
    pre.scrollTop = pre.scrollHeight;
  }
}

/** @param {HTMLElement} answer @param {string} title @param {string} text */
function show(answer, title, text) {
  const pre = element('pre', { tabIndex: 0 }, text);
  answer.append(element('p', {}, title), pre);
  return pre;
}
