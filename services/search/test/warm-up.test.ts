import { expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { aDecision, anEvent } from './records.ts';
import { searchServer } from './search-server.ts';

const stand = searchServer();

it('a replica is ready when it has the index of a large workspace, which then needs no scan', async () => {
  const workspaceId = newId();
  await stand.project(anEvent('decision.created', workspaceId, aDecision(workspaceId, { title: 'Needle' })));
  // The revision is what tells a large workspace.
  await stand.collection('workspaces').updateOne({ _id: workspaceId }, { $set: { revision: 20_000 } });

  const replica = await stand.startReplica();
  const admin = `http://127.0.0.1:${replica.adminPort}`;
  await eventually(async () => (await fetch(`${admin}/readyz`)).ok);
  expect((await stand.search(workspaceId, 'needle', {}, replica)).decisions).toHaveLength(1);
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toMatch(/waymark_search_answers_total\{.*source="index".*\} 1\n/);
  expect(metrics).not.toMatch(/waymark_search_answers_total\{.*source="scan".*\} [1-9]/);
});
