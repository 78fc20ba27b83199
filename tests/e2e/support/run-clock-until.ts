import { expect } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator } from 'playwright-core';

/**
 * Waits until an element is shown by a page that asks for changes now and then. Meanwhile the page's time
 * runs ahead: `visit` the page with `ownClock`.
 */
export const runClockUntil = (element: Locator) =>
  eventually(async () => {
    await element.page().clock.runFor(1_000);
    expect(await element.isVisible()).toBe(true);
  });
