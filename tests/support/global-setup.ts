import { findRepositoryRoot } from '@waymark/local-stack';
import { buildPages } from '../../dev/build-pages.ts';
import startStores, { stopBeforeStores } from '../../libs/testing/src/jest/global-setup.ts';
import { startProduct } from './product.ts';
import { PRODUCT_URL } from './product-url.ts';

let starting: Promise<void> | undefined;

/** Starts, once for a run, the stores and the product with the console that joinProduct() finds. */
export default function globalSetup(): Promise<void> {
  starting ??= start();
  return starting;
}

async function start(): Promise<void> {
  await Promise.all([startStores(), buildPages({ root: findRepositoryRoot(), log: console.error })]);
  const product = await startProduct({ MCP_WRITES: 'true' });
  stopBeforeStores(() => product.stop());
  process.env[PRODUCT_URL] = product.url;
}
