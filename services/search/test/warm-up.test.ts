import { expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { aDecision, anEvent } from './records.ts';
import { startSearchServer } from './search-server.ts';

it('a replica is ready when it has the index of a large workspace, which then needs no scan', async () => {
  const stand = await startSearchServer();
  const { MONGODB_URL, MONGODB_DATABASE } = stand.env;
  const mongo = new MongoClient(String(MONGODB_URL));
  try {
    const workspaceId = newId();
    const decision = aDecision(workspaceId, { title: 'Needle' });
    await stand.publish([anEvent('decision.created', workspaceId, decision)]);
    await stand.projected();
    // The revision is what tells a large workspace.
    const workspaces = mongo.db(MONGODB_DATABASE).collection<{ _id: string }>('workspaces');
    await workspaces.updateOne({ _id: workspaceId }, { $set: { revision: 20_000 } });

    const replica = await stand.startReplica();
    const admin = `http://127.0.0.1:${replica.adminPort}`;
    await eventually(async () => (await fetch(`${admin}/readyz`)).ok);
    expect((await stand.search(workspaceId, 'needle', {}, replica)).decisions).toHaveLength(1);
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toMatch(/waymark_search_answers_total\{.*source="index".*\} 1\n/);
    expect(metrics).not.toMatch(/waymark_search_answers_total\{.*source="scan".*\} [1-9]/);
  } finally {
    await mongo.close();
    await stand.stop();
  }
});
