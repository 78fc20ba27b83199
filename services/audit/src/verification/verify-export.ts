import {
  Actor,
  AuditCheckpoint,
  AuditHead,
  AuditSegment,
  type AuditVerification,
  jsonOrNull,
} from '@waymark/contracts';
import { z } from 'zod';
import { chainOf } from '../chain/chain.ts';
import { type ChainCheck, checkChain } from '../chain/check-chain.ts';
import { readPublicKeys } from '../chain/signing.ts';

export interface VerifyExportOptions {
  /** The Ed25519 keys that the caller trusts, SPKI in base64url. Never the keys that the export names. */
  publicKey: string | readonly string[];
  /** A head that was saved earlier and must still be in the chain. */
  savedHead?: AuditHead | undefined;
}

/** Recognizes the last line by its shape alone; the chain check validates the head. */
const End = z.object({ head: z.looseObject({ chain: z.string() }).nullable(), public_key: z.string() });
/** The first line of a chain whose older entries were removed by retention. */
const Beginning = z.strictObject({ checkpoint: z.looseObject({ chain: z.string() }) });
/** The next lines, before the entries: one for each gap. */
const Gap = z.strictObject({ segment: z.looseObject({ chain: z.string() }) });
const Owned = z.object({ workspace_id: z.string().nullable(), actor: Actor });

export interface ExportVerification extends AuditVerification {
  /** Valid entries whose details were withheld from the exporter; the details they show are not proven. */
  withheld: number;
}

/** Verifies an export with the checks of the service. Throws when `publicKey` is not an Ed25519 key. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  { publicKey, savedHead }: VerifyExportOptions,
): Promise<ExportVerification> {
  const publicKeys = readPublicKeys([publicKey].flat());
  let check: ChainCheck | undefined;
  let end: { head: unknown } | undefined;
  let checkpoint: AuditCheckpoint | null = null;
  const segments: AuditSegment[] = [];
  for await (const line of lines) {
    const value = jsonOrNull(line);
    const beginning = check ? undefined : Beginning.safeParse(value).data?.checkpoint;
    const gap = Gap.safeParse(value).data?.segment;
    check ??= checkChain(
      (beginning ?? gap)?.chain ?? chainNamed(value) ?? savedHead?.chain ?? '',
      publicKeys,
      savedHead,
    );
    if (beginning) {
      checkpoint = AuditCheckpoint.safeParse(beginning).data ?? null;
      if (check.begin(beginning)) continue;
      break;
    }
    if (gap && !end) {
      if (!check.segment(gap)) break;
      segments.push(AuditSegment.parse(gap));
      continue;
    }
    if (end) {
      check.fail('there is a line after the head');
      break;
    }
    if (End.safeParse(value).success) end = value as { head: unknown };
    else if (!check.add(value, 'export')) break;
  }
  check ??= checkChain(savedHead?.chain ?? '', publicKeys, savedHead);
  if (!end) check.fail('the export is truncated: its last line, the head, is missing');
  const { entries, erased, withheld, fault } = check.finish(end?.head ?? null);
  const head = AuditHead.safeParse(end?.head).data ?? null;
  const signer = publicKeys.get(head?.key_id ?? '') ?? [...publicKeys.values()][0]!;
  const valid = fault === null;
  const rest = { head, public_key: signer.text, fault };
  return { valid, entries, erased, withheld, checkpoint, segments, stopped: null, ...rest };
}

function chainNamed(value: unknown): string | undefined {
  const owned = Owned.safeParse(value);
  if (owned.success) return chainOf(owned.data);
  return End.safeParse(value).data?.head?.chain;
}
