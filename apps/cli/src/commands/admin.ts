import { openAccountsOperator } from '@waymark/accounts/operator';
import { erasePersonFromAudit } from '@waymark/audit/operator';
import { ApiError, plans, type StoringService } from '@waymark/contracts';
import { erasePersonFromDecisions } from '@waymark/decisions/operator';
import { assertMigrated, type Database, isUnavailable } from '@waymark/service-kit/store';
import { erasePersonFromThreads } from '@waymark/threads/operator';
import { erasePersonFromTransfer } from '@waymark/transfer/operator';
import { reencryptSecrets } from '@waymark/webhooks/operator';
import { environmentOf, openDatabaseOf } from '../databases.ts';
import { CommandError } from '../run-program.ts';
import { schemas } from '../schemas.ts';
import type { Terminal } from '../terminal.ts';

type Accounts = Awaited<ReturnType<typeof openAccountsOperator>>;

async function withAccounts<T>({ env }: Terminal, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const accounts = await openAccountsOperator({
    ...environmentOf('accounts', env),
    LOG_LEVEL: env['LOG_LEVEL'] || 'silent',
  });
  try {
    return await work(accounts);
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(error.message);
    throw error;
  } finally {
    await accounts.close();
  }
}

/** Work on the migrated database of a service. */
export async function withDatabase<T>(
  service: StoringService,
  { env }: Terminal,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabaseOf(service, env);
  try {
    await assertMigrated(database.db, schemas[service]);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Prints the password once; nothing keeps it. */
export async function createOwner(
  email: string,
  options: { name: string; workspace: string },
  terminal: Terminal,
): Promise<void> {
  const input = { email, name: options.name, workspaceName: options.workspace };
  const created = await withAccounts(terminal, (accounts) => accounts.createOwner(input));
  if (!created) return terminal.out(`${email} has an account already; nothing was done`);
  terminal.out(`user ${created.userId}, owner of workspace ${created.workspaceId}`);
  terminal.out(`password, shown this once: ${created.password}`);
}

export async function recoverPassword(email: string, terminal: Terminal): Promise<void> {
  const { password } = await withAccounts(terminal, (accounts) => accounts.recoverPassword(email));
  terminal.out('every session of the account has ended');
  terminal.out(`new password, shown this once: ${password}`);
}

export async function changePlan(workspaceId: string, name: string, terminal: Terminal): Promise<void> {
  const plan = plans.find((one) => one === name);
  if (!plan) throw new CommandError(`no plan is called ${name}; there are ${plans.join(', ')}`);
  const isChanged = await withAccounts(terminal, (accounts) => accounts.changePlan(workspaceId, plan));
  terminal.out(
    isChanged ? `workspace ${workspaceId} has the plan ${plan} now` : `it has the plan ${plan} already`,
  );
}

/**
 * Accounts come last but one: until then the same command finds the person again, wherever it was broken off. The audit log is
 * gone through once more for what was on its way meanwhile.
 */
export async function erasePerson(emailOrId: string, terminal: Terminal): Promise<void> {
  await withAccounts(terminal, async (accounts) => {
    const person = await accounts.erasable(emailOrId);
    const { userId } = person;
    const fromAudit = () => withDatabase('audit', terminal, (db) => erasePersonFromAudit(db, person));
    const decisions = await withDatabase('decisions', terminal, (db) => erasePersonFromDecisions(db, userId));
    terminal.out(`decisions: the name taken from ${decisions} records`);
    const threads = await withDatabase('threads', terminal, (db) => erasePersonFromThreads(db, userId));
    terminal.out(`threads: the name taken from ${threads} messages`);
    const imports = await withDatabase('transfer', terminal, (db) => erasePersonFromTransfer(db, userId));
    terminal.out(`transfer: the name taken from ${imports} imports`);
    const entries = await fromAudit();
    await accounts.erasePerson(userId);
    terminal.out(`accounts: ${userId} has no name, address, password, session or membership any more`);
    const late = await fromAudit();
    terminal.out(`audit: the details of ${entries + late} entries erased; their chains hold`);
  });
}

export async function rotateWebhookSecrets(terminal: Terminal): Promise<void> {
  const keys = terminal.env['WEBHOOK_ENCRYPTION_KEYS'];
  if (!keys)
    throw new CommandError('WEBHOOK_ENCRYPTION_KEYS is missing: the new key first, then the old ones');
  const moved = await reencryptWebhookSecrets(keys, terminal);
  terminal.out(`${moved} secrets are under the first key now; the keys behind it may go`);
}

/** Returns how many secrets were under another key than the first. Throws CommandError when a key is missing or is none. */
export function reencryptWebhookSecrets(keys: string, terminal: Terminal): Promise<number> {
  return withDatabase('webhooks', terminal, async (database) => {
    try {
      return await reencryptSecrets(database, keys);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      throw new CommandError(`WEBHOOK_ENCRYPTION_KEYS: ${(error as Error).message}`, { cause: error });
    }
  });
}
