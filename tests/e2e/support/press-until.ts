import { expect } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator } from 'playwright-core';

/** Presses a key until something is shown: a page hears its shortcuts a moment after it is painted. */
export const pressUntil = (key: string, shown: Locator): Promise<void> =>
  eventually(async () => {
    if ((await shown.count()) === 0) await shown.page().keyboard.press(key);
    expect(await shown.count()).toBeGreaterThan(0);
  });
