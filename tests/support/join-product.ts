import { randomBytes } from 'node:crypto';
import { type StackClient, stackClient } from '@waymark/testing';

/** Environment variable with the URL of the product that the test files of a run share. */
export const PRODUCT_URL = 'TEST_PRODUCT_URL';

export interface JoinedProduct extends StackClient {
  leave(): void;
}

/**
 * Joins the product that a run starts once for all files that need no settings of their own. Each file signs
 * up its own users. Starting all services takes longer than the tests of most files.
 */
export function joinProduct(): JoinedProduct {
  const suffix = randomBytes(6).toString('hex');
  const { close, ...client } = stackClient(process.env[PRODUCT_URL]!, { suffix });
  return { ...client, leave: close };
}
