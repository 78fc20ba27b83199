// @ts-check
/// <reference lib="dom" />

/** @param {HTMLElement} pre */
export function addCopyButton(pre) {
  const block = document.createElement('div');
  block.className = 'block';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent ?? '');
    button.textContent = 'Copied';
    say('Copied');
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 3_000);
  });
  pre.replaceWith(block);
  block.append(pre, button);
}

/** Tells screen readers. @param {string} text */
export function say(text) {
  const status = document.querySelector('#docs-found');
  if (status) status.textContent = text;
}
