import { type ComponentChildren, createElement, Fragment, options } from 'preact';

// @ts-expect-error: the types are of a CommonJS module, which it is not.
export * from 'preact/compat';
// Takes the place of React (docs/decisions/0028-preact.md) and makes up for what tests found to differ.
export { default } from 'preact/compat';

interface Node {
  type: unknown;
  props: Record<string, unknown>;
  /** The element. */
  __e?: unknown;
}

const hooks = options as { [name in 'vnode' | 'diffed']?: (node: Node) => void } & {
  event?: (event: Event) => unknown;
};
const { vnode, diffed, event } = hooks;
/** The properties of fields when they were last rendered. */
const rendered = new WeakMap<EventTarget, Node['props']>();

Object.assign(options, {
  // Like React, run the effects of an input before the next input, not after the next frame.
  requestAnimationFrame: queueMicrotask.bind(globalThis),
  // In SVG, attributes are case-sensitive.
  vnode(node: Node) {
    if (node.type === 'g' && 'tabIndex' in node.props) {
      const { tabIndex, ...props } = node.props;
      node.props = { ...props, tabindex: tabIndex };
    }
    vnode?.(node);
  },
  diffed(node: Node) {
    if (isField(node.__e)) rendered.set(node.__e, node.props);
    diffed?.(node);
  },
  event(given: Event) {
    const { type, target } = given;
    // The first of these microtasks comes before the rendering that the event causes, the second after it.
    if (type === 'input' || type === 'change') queueMicrotask(() => queueMicrotask(() => restore(target)));
    return event ? event(given) : given;
  },
});

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const isField = (element: unknown): element is Field =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement;

/** Like React, gives a field its value back unless the state has followed it. */
function restore(field: EventTarget | null): void {
  const { checked, value } = (field && rendered.get(field)) ?? {};
  if (!isField(field) || field.type === 'file') return;
  if ('checked' in field && checked != null) field.checked = Boolean(checked);
  // biome-ignore lint/suspicious/noDoubleEquals: as numbers, 1.0 is 1
  else if (value != null && !Array.isArray(value) && field.value != value) field.value = String(value);
}

/** Preact lacks React's Activity, which Mantine uses for content that stays mounted while hidden. */
export function Activity(props: { mode?: 'visible' | 'hidden'; children?: ComponentChildren }) {
  return props.mode === 'hidden' ? null : createElement(Fragment, null, props.children);
}
