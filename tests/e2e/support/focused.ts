import { expect } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { Locator } from 'playwright-core';

/** Waits until an element has the focus in its document, whether or not its window has that of the system. */
export const focused = (element: Locator): Promise<void> =>
  eventually(async () =>
    expect(await element.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true),
  );
