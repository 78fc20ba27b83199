import {
  type AccountsOperator,
  changePlan as changeWorkspacePlan,
  createOwner as createOwnerAccount,
  erasePerson as erasePersonFromAccounts,
  findErasable,
  openAccountsOperator,
  reencryptTotpSecrets,
  removeTotp as removeTotpOfAccount,
  recoverPassword as replacePassword,
} from '@waymark/accounts/operator';
import { erasePersonFromAudit, erasePersonFromEventLog } from '@waymark/audit/operator';
import { emailAddress, plans, type StoringService } from '@waymark/contracts';
import { erasePersonFromDecisions } from '@waymark/decisions/operator';
import { erasePersonFromNotifications } from '@waymark/notifications/operator';
import { assertMigrated, type Database, isUnavailable } from '@waymark/service-kit/store';
import { erasePersonFromThreads } from '@waymark/threads/operator';
import { erasePersonFromTransfer } from '@waymark/transfer/operator';
import { reencryptSecrets } from '@waymark/webhooks/operator';
import { erasePersonFromWorkflows } from '@waymark/workflows/operator';
import { closing, openDatabaseOf, quietEnvironmentOf } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import { schemas } from '../schemas.ts';
import type { Terminal } from '../terminal/terminal.ts';

const withAccounts = <T>({ env }: Terminal, work: (accounts: AccountsOperator) => Promise<T>): Promise<T> =>
  closing(openAccountsOperator(quietEnvironmentOf('accounts', env)), work);

/** Opens the database of a service, once its schema is current, for `work`. */
export const withDatabase = <T>(
  service: StoringService,
  { env }: Terminal,
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  closing(openDatabaseOf(service, env), async (database) => {
    await assertMigrated(database.db, schemas[service]);
    return work(database);
  });

/** Prints the password, which is stored nowhere. */
export async function createOwner(
  email: string,
  options: { name: string; workspace: string },
  terminal: Terminal,
): Promise<void> {
  if (!emailAddress().safeParse(email).success) throw new CommandError(`${email} is not an e-mail address`);
  const input = { email, name: options.name, workspaceName: options.workspace };
  const created = await withAccounts(terminal, (accounts) => createOwnerAccount(accounts, input));
  if (!created) return terminal.out(`${email} already has an account; nothing was changed`);
  terminal.out(`user ${created.userId}, owner of workspace ${created.workspaceId}`);
  terminal.out(`password, shown this once: ${created.password}`);
}

export async function recoverPassword(email: string, terminal: Terminal): Promise<void> {
  const { password } = await withAccounts(terminal, (accounts) => replacePassword(accounts, email));
  terminal.out('all sessions and passkeys of the account have ended');
  terminal.out(`new password, shown this once: ${password}`);
}

export async function removeTotp(email: string, terminal: Terminal): Promise<void> {
  const isRemoved = await withAccounts(terminal, (accounts) => removeTotpOfAccount(accounts, email));
  terminal.out(
    isRemoved
      ? `the authenticator app of ${email} is removed, and all sessions have ended`
      : `${email} has no authenticator app`,
  );
}

/** Returns how many secrets of apps were re-encrypted. Throws CommandError without their key. */
export const reencryptTotp = (terminal: Terminal): Promise<number> =>
  withAccounts(terminal, async (accounts) => {
    try {
      return await reencryptTotpSecrets(accounts);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      throw new CommandError((error as Error).message, { cause: error });
    }
  });

export async function changePlan(workspaceId: string, name: string, terminal: Terminal): Promise<void> {
  const plan = plans.find((one) => one === name);
  if (!plan) throw new CommandError(`there is no plan ${name}; the plans are ${plans.join(', ')}`);
  const isChanged = await withAccounts(terminal, (accounts) =>
    changeWorkspacePlan(accounts, workspaceId, plan),
  );
  terminal.out(
    isChanged
      ? `workspace ${workspaceId} is now on the plan ${plan}`
      : `the workspace is already on the plan ${plan}`,
  );
}

/**
 * Erases the account after the other services, so that an interrupted command finds the person again when it
 * is repeated. Then it erases from the audit log once more, because events from before may have arrived
 * meanwhile.
 */
export async function erasePerson(emailOrId: string, terminal: Terminal): Promise<void> {
  await withAccounts(terminal, async (accounts) => {
    const person = await findErasable(accounts, emailOrId);
    const { userId } = person;
    const fromAudit = () =>
      withDatabase('audit', terminal, async (db) => ({
        entries: await erasePersonFromAudit(db, terminal.env, person),
        events: await erasePersonFromEventLog(db, person),
      }));
    const decisions = await withDatabase('decisions', terminal, (db) => erasePersonFromDecisions(db, userId));
    terminal.out(`decisions: removed the name from ${decisions} records`);
    const threads = await withDatabase('threads', terminal, (db) => erasePersonFromThreads(db, userId));
    terminal.out(`threads: removed the name from ${threads} messages`);
    const trashed = await withDatabase('workflows', terminal, (db) => erasePersonFromWorkflows(db, userId));
    terminal.out(`workflows: removed the name from ${trashed} deleted records`);
    const imports = await withDatabase('transfer', terminal, (db) => erasePersonFromTransfer(db, userId));
    terminal.out(`transfer: removed the name from ${imports} imports`);
    const fromInboxes = () =>
      withDatabase('notifications', terminal, (db) => erasePersonFromNotifications(db, userId));
    const told = await fromInboxes();
    const early = await fromAudit();
    await erasePersonFromAccounts(accounts, userId);
    terminal.out(
      `accounts: removed the name, email, password, passkeys, sessions and memberships of ${userId}`,
    );
    const toldLate = told + (await fromInboxes());
    terminal.out(`notifications: removed the inbox, and the name from others: ${toldLate} notifications`);
    const late = await fromAudit();
    const [entries, events] = [early.entries + late.entries, early.events + late.events];
    terminal.out(`audit: erased the details of ${entries} entries; their chains still verify`);
    terminal.out(`event log: erased the data of ${events} events`);
  });
}

export async function rotateWebhookSecrets(terminal: Terminal): Promise<void> {
  const keys = terminal.env['WEBHOOK_ENCRYPTION_KEYS'];
  if (!keys)
    throw new CommandError('WEBHOOK_ENCRYPTION_KEYS is missing; set it to the new key, then the old ones');
  const moved = await reencryptWebhookSecrets(keys, terminal);
  terminal.out(`${moved} secrets encrypted with the first key; you can remove the other keys`);
}

/** Returns how many secrets were re-encrypted. Throws CommandError for a missing or invalid key. */
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
