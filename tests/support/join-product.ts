import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { type StackClient, stackClient } from '@waymark/testing';
import { PRODUCT_URL } from './product-url.ts';

/**
 * Joins the product that a run starts once for all files that need no settings of their own, until the
 * tests of the file are over. Each file signs up its own users. Starting all services takes longer than the
 * tests of most files.
 */
export function joinProduct(): StackClient {
  const suffix = randomBytes(6).toString('hex');
  const { close, ...client } = stackClient(process.env[PRODUCT_URL]!, { suffix });
  afterAll(close);
  return client;
}
