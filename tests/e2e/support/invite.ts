import type { Page } from 'playwright-core';
import { focused } from './focused.ts';

/** Invites somebody with a button of the page, and returns the path of the link that the page shows. */
export async function invite(
  page: Page,
  email: string,
  role: string,
  by = 'Invite by link',
): Promise<string> {
  await page
    .getByRole('button', { name: by })
    .or(page.getByRole('link', { name: by }))
    .click();
  const dialog = page.getByRole('dialog', { name: 'Invite by link' });
  await focused(dialog.getByLabel('E-mail'));
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  const link = (await dialog.getByLabel('link', { exact: true }).textContent())!;
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  return link.slice(new URL(link).origin.length);
}
