import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { AuditHead } from '@waymark/contracts';
import { linesOf } from './lines.ts';
import { verifyExport } from './verify-export.ts';

const USAGE =
  'npm run audit:verify -- <export.ndjson> --public-key <base64url> [--public-key <retired>] [--head <saved-head.json>]';

/** A saved head as it stands alone, or inside an answer of the verification or the last line of an export. */
async function readHead(path: string): Promise<AuditHead> {
  const saved = JSON.parse(await readFile(path, 'utf8')) as { head?: unknown };
  return AuditHead.parse(saved.head ?? saved);
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'public-key': { type: 'string', multiple: true }, head: { type: 'string' } },
  });
  const path = positionals[0];
  const publicKey = values['public-key'];
  if (!path || positionals.length > 1 || !publicKey) throw new Error(`usage: ${USAGE}`);
  const savedHead = values.head === undefined ? undefined : await readHead(values.head);
  const found = await verifyExport(linesOf(createReadStream(path, 'utf8')), { publicKey, savedHead });
  if (found.fault) {
    process.stdout.write(`NOT VALID: entry ${found.fault.seq}: ${found.fault.reason}\n`);
    return 1;
  }
  const erased = found.erased > 0 ? `, the details of ${found.erased} erased` : '';
  process.stdout.write(
    `valid: ${found.entries} entries${erased}; keep this head:\n${JSON.stringify(found.head)}\n`,
  );
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
