import { expect } from '@jest/globals';
import type { Owner, StackClient } from '@waymark/testing';
import { codeBlocks } from './documented-code.ts';

export const QUICKSTART = 'docs/guide/quickstart.md';
export const quickstartBlocks = codeBlocks(QUICKSTART);

/** Checks what a program of the quickstart has done in a new workspace, and what it printed. */
export async function expectQuickstart(
  output: string,
  { call }: Pick<StackClient, 'call'>,
  { key, userId }: Owner & { key: string },
): Promise<void> {
  const { body } = await call('GET', '/decisions', { key });
  const [decision, ...others] = body.decisions;
  expect(others).toEqual([]);
  expect(decision).toMatchObject({
    title: 'Which queue carries our events?',
    criteria: ['Starts on a laptop', 'Survives a power cut'],
    outcome: 'success',
    outcome_confidence: 0.8,
    outcome_confidence_kind: 'forecast',
  });
  for (const shown of [userId, decision.id, String(decision.quality_score)]) expect(output).toContain(shown);
  expect(output).toMatch(/decision\.(created|updated|outcome_logged)/);
}
