import { AuditHead, type AuditSegment } from '@waymark/contracts';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import { type ChainEnd, GENESIS } from '../chain/chain.ts';
import { checkChain } from '../chain/check-chain.ts';
import { headSignatureFault, segmentEnd, signHead, signSegment } from '../chain/signing.ts';
import type { StopRecord } from '../store/collections.ts';
import { appendDrafts } from './append-drafts.ts';
import { heldDraft } from './held-events.ts';
import type { AppendContext } from './stop-chain.ts';

export interface Resumed {
  /** Null if the chain was whole, so that at most its head was signed again. */
  segment: AuditSegment | null;
  appended: number;
  /** The number of held events that somebody had changed. `refill` delivers them again from NATS. */
  refused: number;
}

/**
 * Lets a stopped chain accept entries again, and appends the held events. Signs a segment that names the gap
 * first, unless the whole chain is proven. Returns null if the chain is not stopped. Repeatable.
 */
export async function resumeChain(
  service: AppendContext & { workspaces: Pick<WorkspacePurge, 'deletedAmong'> },
  chain: string,
): Promise<Resumed | null> {
  const { store, heads } = service;
  let stop = await store.stoppedChain(chain);
  if (!stop) return null;
  if ((await service.workspaces.deletedAmong([chain])).size > 0)
    throw new Error('deleted_workspaces in MongoDB names the workspace; remove the document if it is forged');
  const segment = await repair(service, stop);
  const result: Resumed = { segment, appended: 0, refused: 0 };
  for (; stop; stop = await store.stoppedChain(chain)) {
    for (let held = await store.held(chain); held.length > 0; held = await store.held(chain)) {
      const drafts = held.map((record) => heldDraft(record, service.keys)).filter((draft) => draft !== null);
      const faults = await appendDrafts(
        service,
        drafts.map((draft) => ({ chain, draft })),
      );
      const fault = faults.get(chain);
      if (fault) throw new Error(`the chain was changed again meanwhile: ${fault.fault}`);
      await store.removeHeld(
        chain,
        held.map(({ id }) => id),
      );
      result.appended += drafts.length;
      result.refused += held.length - drafts.length;
    }
    if (await store.endStop(stop)) break;
  }
  await heads.reconcile(chain);
  return result;
}

/** Signs a new head: after the last entry if the whole chain is proven, else after a gap. */
async function repair(service: AppendContext, stop: StopRecord): Promise<AuditSegment | null> {
  const { store, keys, copies, heads, now } = service;
  const chain = stop._id;
  const { fault, copy, head } = await heads.inspect(chain);
  if (!fault) return null;
  const proven = await provenEnd(service, chain, [copy.head, head]);
  const known = copy.head;
  const until_seq = Math.max(known?.seq ?? 0, proven.seq, await store.lastSeq(chain));
  const isWhole = until_seq === proven.seq && !copy.isDeleted;
  const segment = isWhole
    ? null
    : signSegment(
        {
          chain,
          after_seq: proven.seq,
          after_hash: proven.hash,
          until_seq: Math.max(until_seq, proven.seq + 1),
          known_seq: known?.seq ?? null,
          known_hash: known?.hash ?? null,
          reason: stop.reason,
          stopped_at: stop.at,
          at: new Date(now()).toISOString(),
        },
        keys,
      );
  const end = segment ? segmentEnd(segment) : proven;
  const next = end.seq === 0 ? null : signHead({ chain, ...end }, keys);
  await store.replaceHead(chain, next, { segment, provenSeq: proven.seq });
  if (next && (await copies.write(next, copy.revision)) === null)
    throw new Error('another process has changed the chain meanwhile; repeat the command');
  return segment;
}

/** The last entry up to which the chain is whole and a signed head, checkpoint or segment proves it. */
async function provenEnd(
  { store, keys }: AppendContext,
  chain: string,
  heads: readonly (AuditHead | null)[],
): Promise<ChainEnd> {
  const isGenuine = (head: AuditHead | null) =>
    AuditHead.safeParse(head).success && headSignatureFault(head!, keys.publicKeys) === null;
  const checkpoint = await store.checkpoint(chain);
  const check = checkChain(chain, keys.publicKeys);
  if (checkpoint !== null && !check.begin(checkpoint)) return GENESIS;
  const segments = (await store.segments(chain)).filter((segment) => check.segment(segment));
  const ends = segments.map(segmentEnd);
  const signed = new Set([...heads.filter(isGenuine), ...ends].map((end) => end!.hash));
  for (const { after_hash } of segments) signed.add(after_hash);
  let proven = check.end();
  const lastSeq = await store.lastSeq(chain);
  for await (const entry of store.read(chain, { after: checkpoint?.seq ?? 0, lastSeq })) {
    if (!check.add(entry)) break;
    const passed = ends.findLast(({ seq }) => seq < check.end().seq);
    if (passed && passed.seq > proven.seq) proven = passed;
    if (signed.has(check.end().hash)) proven = check.end();
  }
  // Without an earlier fault, this continues through the gaps after the last entry.
  check.finish(null);
  return signed.has(check.end().hash) ? check.end() : proven;
}
