import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { openParkedEvents } from '@waymark/service-kit/events';
import { backUp, eventually } from '@waymark/testing';
import { aDecision, anEvent } from './records.ts';
import { searchServer } from './search-server.ts';

const stand = await searchServer({ seams: { recordMs: 50 } });

const recorded = async () =>
  (await stand.collection('consumer_positions').findOne({ _id: 'search' }))?.sequence ?? 0;

/** The value of waymark_database_older. */
async function older(): Promise<string | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${stand.one.adminPort}/metrics`)).text();
  return /^waymark_database_older\{consumer="search",.*\} (\d)$/m.exec(text)?.[1];
}

describe('a database that was restored to an older state', () => {
  it('is older than the event stream until a refill has brought back what it lacks', async () => {
    const workspaceId = newId();
    const [kept, changed, lost, later] = Array.from({ length: 4 }, () => aDecision(workspaceId));
    const publish = async (...decisions: (typeof kept)[]) => {
      const events = decisions.map((decision) => anEvent('decision.created', workspaceId, decision!));
      await stand.publish(events);
      await stand.projected();
    };
    const stored = async () => {
      const found = await stand.collection('items').find({ workspace_id: workspaceId }).toArray();
      return new Map(found.map(({ id, version }) => [id, version]));
    };

    await publish(kept, changed);
    await eventually(async () => expect(await recorded()).toBe(2));
    const restore = await backUp(stand.one.database, ['items', 'workspaces', 'consumer_positions']);
    await publish({ ...changed!, version: 2 }, lost);
    await eventually(async () => expect(await recorded()).toBe(4));
    expect(await older()).toBe('0');

    await restore();
    await eventually(async () => expect(await older()).toBe('1'));
    // What happens meanwhile hides nothing.
    await publish(later);
    await stand.startReplica();
    expect(await recorded()).toBe(2);
    expect((await stored()).has(lost!.id)).toBe(false);

    const operator = await openParkedEvents(stand.one.env);
    expect(await operator.refill('no-consumer')).toBe(false);
    expect(await operator.refill('search')).toBe(true);
    await operator.close();
    await eventually(async () => expect(await older()).toBe('0'));
    await eventually(async () => expect(await recorded()).toBe(5));
    const versions = new Map([kept, changed, lost, later].map((decision) => [decision!.id, 1]));
    expect(await stored()).toEqual(versions.set(changed!.id, 2));
  });
});
