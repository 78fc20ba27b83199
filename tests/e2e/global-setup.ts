import { findRepositoryRoot } from '@waymark/local-stack';
import { buildConsole } from '../../dev/console.ts';
import startStores, { stopBeforeStores } from '../../libs/testing/src/global-setup.ts';
import { startProduct } from '../product.ts';

/** One product for all tests in a browser that set nothing of their own: each signs up people of its own there. */
export default async function globalSetup(): Promise<void> {
  await Promise.all([startStores(), buildConsole({ root: findRepositoryRoot(), log: console.error })]);
  const product = await startProduct();
  stopBeforeStores(() => product.stop());
  process.env['E2E_PRODUCT_URL'] = product.url;
}
