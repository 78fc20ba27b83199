import { afterAll, it } from '@jest/globals';
import { createReadersFolder, programOf } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';
import { expectQuickstart, quickstartBlocks } from '../support/quickstart.ts';

const product = joinProduct();
const reader = createReadersFolder();
afterAll(() => reader.remove());

// Its commands are processes of their own. guides.test.ts runs the other tabs.
it('the quickstart logs a decision and its outcome, and receives an event with CLI', async () => {
  const owner = await product.workspace();
  const commands = ['', 'CLI'].map((label) => programOf(quickstartBlocks, 'sh', label)).join('\n');
  const adapted = commands.replace('http://localhost:8080', product.url).replace('wmk_…', owner.key);
  const env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key };
  await expectQuickstart(await reader.run('bash', ['-euc', adapted], env), product, owner);
});
