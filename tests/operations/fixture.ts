import type { ServiceAccountRole } from '@waymark/contracts';
import { answer, eventually, type Owner, startWebhookReceiver } from '@waymark/testing';
import { startProduct } from '../support/product.ts';
import { createRecords, type Records, type Workspace } from '../support/records.ts';

/** This mark is in every text that the other workspace wrote. */
export const MARK = ' 5e1f-theirs';

const ROLES = ['admin', 'member', 'viewer'] as const satisfies ServiceAccountRole[];

/** A workspace with one record of each kind, and with people and programs of every role. */
export type FilledWorkspace = Workspace & {
  records: Records;
  members: Record<ServiceAccountRole, Owner>;
  /** Keys of service accounts. */
  serviceKeys: Record<ServiceAccountRole, string>;
};

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

/**
 * Starts the product and fills two workspaces with the same kinds and numbers of records. `mine` is the one
 * that the suites call; its users are strangers to `theirs`.
 */
export async function createFixture() {
  /** How far the clock of all services is ahead. */
  const clock = { aheadMs: 0 };
  const receiver = await startWebhookReceiver();
  // Each workspace has a failed delivery that can be replayed.
  receiver.behave(answer(400));
  const product = await startProduct({}, { now: () => Date.now() + clock.aheadMs });
  async function stop(): Promise<void> {
    await product.stop();
    await receiver.stop();
  }

  async function fill(mark = ''): Promise<FilledWorkspace> {
    const owner = await product.workspace();
    const { cookie } = owner;
    const records = await createRecords(product, owner, receiver.url, mark);
    const delivery = `/deliveries/${records.delivery}`;
    await eventually(async () => (await product.call('GET', delivery, { cookie })).body.status === 'failed');
    const members = {} as FilledWorkspace['members'];
    const serviceKeys = {} as FilledWorkspace['serviceKeys'];
    for (const role of ROLES) {
      members[role] = await product.signUp(`The ${role}${mark}`);
      await product.addMember(owner, members[role], role);
      serviceKeys[role] = (await product.createServiceKey(owner, role)).key;
    }
    // A separate key, because some calls rotate and revoke the one among the records.
    return { ...owner, key: await product.createKey(owner), records, members, serviceKeys };
  }

  try {
    return { product, receiver, clock, mine: await fill(), theirs: await fill(MARK), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
