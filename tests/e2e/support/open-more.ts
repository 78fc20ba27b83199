import type { Page } from 'playwright-core';

/** Opens the menu "…" of a page, of a row, or of the first row with such a name. */
export function openMore(page: Page, of: string | RegExp = ''): Promise<void> {
  const name = typeof of === 'string' && of !== '' ? `More actions for ${of}` : of || 'More actions';
  return page.getByRole('button', { name, exact: true }).first().click();
}
