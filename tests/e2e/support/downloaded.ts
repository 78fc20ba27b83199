import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Clicks a button that downloads a file, and returns the file. */
export async function downloaded(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}
