import { afterAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@waymark/contracts';
import { eventually, testFolder } from '@waymark/testing';
import { ensureDemo } from '../dev/demo/demo-workspace.ts';
import { joinProduct } from './support/join-product.ts';
import { callTool, mcpClients } from './support/mcp-client.ts';
import { questions } from './support/questions.ts';
import { questionsApart } from './support/questions-apart.ts';

const clients = mcpClients();
const directory = testFolder();
const product = joinProduct();
const demo = await ensureDemo({ directory, baseUrl: product.url + BASE_PATH });
const client = await clients.connectTo(product.url, { authorization: `Bearer ${demo.api_key}` });
await eventually(async () => {
  const { results } = await callTool(client, 'search', { query: 'message broker' });
  expect(results.length).toBeGreaterThan(0);
});
afterAll(() => clients.close());

/** Returns the questions of a table that are answered wrongly, with what the tool found. */
async function wrongOf(table: typeof questions) {
  const wrong = [];
  for (const [question, title] of table) {
    const { decision, near_misses, ...answer } = await callTool(client, 'find_governing_decision', {
      question,
    });
    expect(answer.isError).toBe(false);
    if ((decision?.title ?? null) !== title) wrong.push({ question, title, decision, near_misses });
  }
  return wrong;
}

describe('find_governing_decision in the demo workspace', () => {
  it('answers at least 54 of 60 questions rightly, and none that has no answer', async () => {
    const wrong = [...(await wrongOf(questions)), ...(await wrongOf(questionsApart))];
    expect(wrong.filter(({ title }) => title === null)).toEqual([]);
    expect(wrong.length).toBeLessThanOrEqual(6);
    for (const { decision, near_misses } of wrong) {
      expect(decision).toBeNull();
      expect(near_misses.length).toBeGreaterThan(0);
    }
  });
});
