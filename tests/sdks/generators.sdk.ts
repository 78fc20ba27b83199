import { describe, expect, it } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { joinProduct } from '../support/join-product.ts';
import { generators } from './support/generators.ts';

/** What the sixteen calls print in every language. */
const PRINTED = `
whoami apiKey
createDecision proposed
getDecision Generate the client
listDecisions 1
updateDecision success
getDecisionQuality dq-1
putDecisionByExternalId ADR-1
listDecisionHistory 2
getDecisionFacets 1
createWorkflow false
createNode backlog
listNodes 1
postMessage It compiles.
search 0
getMetrics 2
deleteDecision 204
`;

const product = joinProduct();

describe.each(Object.entries(generators))('%s', (_, generate) => {
  it('makes a client without a warning, which refuses wrong bodies, and whose calls work', async () => {
    const { key } = await product.workspace();
    const folder = testFolder();
    const { command, args, env } = await generate(folder);
    const own = { WAYMARK_URL: `${product.url}/v1`, WAYMARK_API_KEY: key };
    const output = await runCommand(command, args, { ...env, ...own }, folder);
    expect(output.trim().split('\n')).toEqual(PRINTED.trim().split('\n'));
  });
});
