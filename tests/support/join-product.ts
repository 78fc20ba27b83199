import { randomBytes } from 'node:crypto';
import { type StackClient, stackClient } from '@waymark/testing';

/** Says to the files of a run where the product of all is. */
export const PRODUCT_URL = 'TEST_PRODUCT_URL';

export interface JoinedProduct extends StackClient {
  leave(): void;
}

/**
 * The product that a run has started for all files that set nothing of their own: each signs up people of its own there. To load
 * and start all services takes longer than what most files then ask of them.
 */
export function joinProduct(): JoinedProduct {
  const suffix = randomBytes(6).toString('hex');
  const { close, ...client } = stackClient(process.env[PRODUCT_URL]!, { suffix });
  return { ...client, leave: close };
}
