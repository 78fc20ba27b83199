/// <reference lib="dom" />
import { expect } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';

const NOTHING = 'nothing was copied';

/** Clicks a button that copies, and returns the text on the clipboard. */
export async function copiedText(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), NOTHING);
  await button.click();
  return eventually(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).not.toBe(NOTHING);
    return text;
  });
}
