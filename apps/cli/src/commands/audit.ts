import { readFile } from 'node:fs/promises';
import { verifyAuditExport } from '@waymark/audit/operator';
import { AuditHead } from '@waymark/contracts';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';

/** Verifies an export without services, database or network. Throws CommandError when it is not valid. */
export async function verifyAudit(
  path: string,
  options: { publicKey: string[]; head?: string },
  terminal: Terminal,
): Promise<void> {
  const savedHead = options.head === undefined ? undefined : await readHead(options.head);
  const found = await verifyAuditExport(path, { publicKey: options.publicKey, savedHead }).catch(refuse);
  if (found.fault) throw new CommandError(`NOT VALID: entry ${found.fault.seq}: ${found.fault.reason}`);
  const erased = found.erased > 0 ? `, ${found.erased} with erased details` : '';
  terminal.out(`valid: ${found.entries} entries${erased}; keep this head:`);
  terminal.out(JSON.stringify(found.head));
}

/** Reads a saved head: alone, or inside a response of the verification or the last line of an export. */
async function readHead(path: string): Promise<AuditHead> {
  try {
    const saved = JSON.parse(await readFile(path, 'utf8')) as { head?: unknown };
    return AuditHead.parse(saved.head ?? saved);
  } catch (error) {
    throw new CommandError(`${path} does not contain a head of an audit chain`, { cause: error });
  }
}

function refuse(error: Error): never {
  throw new CommandError(error.message, { cause: error });
}
