/// <reference lib="dom" />
import { expect } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Page } from 'playwright-core';

/** Waits until an element of the open dialog has the focus, and returns its name. */
export async function focusedInDialog(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog').first();
  await dialog.waitFor();
  return eventually(async () => {
    const name = await dialog.evaluate((one) => {
      const element = document.activeElement;
      if (element === null || element === one || !one.contains(element)) return null;
      const label =
        element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement;
      const text = (label && element.labels?.[0]?.textContent) || element.textContent;
      return element.getAttribute('aria-label') ?? text?.replace(/[\s*]+$/, '') ?? '';
    });
    expect(name).not.toBeNull();
    return name!;
  });
}
