/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/** Waits until the focus is in the open dialog, and returns the name of the element that has it. */
export async function focusedInDialog(page: Page): Promise<string> {
  await page.getByRole('dialog').first().waitFor();
  const focused = page.locator('[role="dialog"] :focus');
  await focused.waitFor();
  return focused.evaluate((element) => {
    const label = element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
    const text = (label && element.labels?.[0]?.textContent) || element.textContent;
    return element.getAttribute('aria-label') ?? text?.replace(/[\s*]+$/, '') ?? '';
  });
}
