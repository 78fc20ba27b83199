import { fairShare, inProportion } from '@waymark/service-kit/jobs';
import type { EndpointKey } from '../store/index.ts';

type InWorkspace = Pick<EndpointKey, 'workspace_id'>;
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

const MEBI = 1024 * 1024;
const SHARED = { total: 64 * MEBI, perTenant: 32 * MEBI };
/** What is not shared is for queues that have little. The total is 5/8 of a pod at two bytes a character. */
const TOTAL = { total: 160 * MEBI, perTenant: 80 * MEBI };
/** A queue with less than this has little. It is enough for the usual payloads that a queue sends at once. */
const LITTLE = MEBI / 8;
/** Twice the largest data of an event. A larger payload waits for shared room. */
const LARGE_PAYLOAD = MEBI / 2;

/** Half as much as is then left free: docs/decisions/0010-webhook-deliveries.md. */
export const BY_WORKSPACE = {
  policy: inProportion(0.5),
  tenantsOf: ({ workspace_id }: InWorkspace) => [workspace_id],
};

/** Limits the memory for payloads, in characters, with fair shares for workspaces and for their queues. */
export function createMemoryBudget() {
  const shared = fairShare<InWorkspace>({ ...SHARED, ...BY_WORKSPACE });
  const total = fairShare<InWorkspace>({ ...TOTAL, ...BY_WORKSPACE });

  /** How much more a queue may take; nothing at 0 or less. One payload may be larger, if it `fits`. */
  const room = (queue: InWorkspace) =>
    Math.min(total.allowance(queue), Math.max(shared.allowance(queue), LITTLE - shared.taken(queue)));
  const most = (queue: InWorkspace) => Math.min(total.allowance(queue), room(queue) + LARGE_PAYLOAD);

  function take(queue: InWorkspace, characters: number): void {
    shared.take(queue, characters);
    total.take(queue, characters);
  }
  const give = (queue: InWorkspace, characters: number) => take(queue, -characters);

  return {
    room,
    fits: (queue: InWorkspace, characters: number) => room(queue) > 0 && characters <= most(queue),
    /** Reserves memory for a claim, which returns payloads until they have `enough` characters, or `most`. */
    reserve(queue: InWorkspace) {
      const reserved = { enough: room(queue), most: most(queue) };
      take(queue, reserved.most);
      return { ...reserved, giveBack: () => give(queue, reserved.most) };
    },
    take,
    give,
  };
}
