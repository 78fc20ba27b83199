import { ApiError, operations, type Plan } from '@waymark/contracts';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import type { Database } from '@waymark/service-kit/store';
import { revokeGrantsOf } from './api-keys.ts';
import { readConfig } from './config.ts';
import { type AccountsContext, accountsContext, timestamp } from './context.ts';
import { randomSecret } from './credentials/derived-secrets.ts';
import { findUser } from './erase-person.ts';
import { schema } from './schema.ts';
import { endSessions } from './sessions/sessions.ts';
import { replacePassword } from './sign-in/reset-password.ts';
import { dropTotp } from './sign-in/totp.ts';
import { workspaceTag } from './tags.ts';
import { insertUser, operatorContext, userEvent } from './users.ts';
import { insertWorkspace, setPlan } from './workspaces/workspaces.ts';

export { erasePerson, findErasable } from './erase-person.ts';

export type AccountsOperator = Awaited<ReturnType<typeof openAccountsOperator>>;

const PASSWORD_BYTES = 18;
const newPassword = () => randomSecret(PASSWORD_BYTES);

/** Opens the accounts beside the running replicas. Throws EnvironmentError, PendingMigrationsError. */
export async function openAccountsOperator(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  await runtime.database.readyAtOnce().catch(async (error) => {
    await runtime.close();
    throw error;
  });
  return { ...accountsContext(config, runtime), close: runtime.close };
}

/** Creates a user with a workspace, whatever SIGN_UP says. Returns null when the email is taken. */
export async function createOwner(
  service: AccountsContext,
  { name, workspaceName, ...input }: { email: string; name: string; workspaceName: string },
): Promise<{ userId: string; workspaceId: string; password: string } | null> {
  const email = input.email.toLowerCase();
  if (await service.store.users.byEmail(email)) return null;
  const password = newPassword();
  const passwordHash = await service.passwords.hash(password);
  const ctx = operatorContext('user.create');
  return service.commit(ctx, async (tx) => {
    const user = await insertUser(service, tx, { email, name, passwordHash }, { actor: ctx.actor });
    const workspace = await insertWorkspace(service, tx, user, workspaceName);
    return { userId: user.id, workspaceId: workspace.id, password };
  });
}

/** Replaces a forgotten password, and ends every session, passkey and grant. Throws NOT_FOUND. */
export async function recoverPassword(service: AccountsContext, email: string) {
  const { id } = await findUser(service, email);
  const password = newPassword();
  const passwordHash = await service.passwords.hash(password);
  const ctx = operatorContext('user.recover_password');
  await service.commit(ctx, async (tx) => {
    const user = await replacePassword(service, tx, id, passwordHash);
    if (!user) throw new ApiError('NOT_FOUND');
    tx.emit('user.password_changed', { ...userEvent(user, { id }), actor: ctx.actor });
    await revokeGrantsOf(service, tx, id);
  });
  return { password };
}

/** Removes a lost authenticator app with its recovery codes, and ends every session. Throws NOT_FOUND. */
export async function removeTotp(service: AccountsContext, email: string): Promise<boolean> {
  const { id } = await findUser(service, email);
  const ctx = operatorContext(operations.removeTotp.audit);
  return service.commit(ctx, async (tx) => {
    const user = await service.store.users.update(id, tx.session);
    if (!user?.totp) return false;
    const { sessions } = service.store;
    await endSessions(service, tx, await sessions.activeOf(id, timestamp(service), tx.session));
    await dropTotp(service, tx, user);
    tx.emit('user.totp_removed', { ...userEvent(user, { id }), actor: ctx.actor });
    return true;
  });
}

/**
 * Encrypts the secrets of authenticator apps with the first of the private keys of accounts, while services
 * run. Returns how many were under another key. Throws when a secret's key is not among them.
 */
export async function reencryptTotpSecrets({ store, totpSecrets }: AccountsContext): Promise<number> {
  let moved = 0;
  for await (const { id, totp } of store.users.withTotpUnder(totpSecrets.firstKeyId)) {
    const renewed = await totpSecrets.encrypt(id, await totpSecrets.decrypt(id, totp));
    moved += await store.users.replaceTotpSecret(id, totp, renewed);
  }
  return moved;
}

/** Changes the plan, whatever PLAN_CHANGES says. Returns false if nothing changes. Throws NOT_FOUND. */
export function changePlan(service: AccountsContext, workspaceId: string, plan: Plan): Promise<boolean> {
  return service.commit(operatorContext(operations.changePlan.audit), async (tx) => {
    const workspace = await service.store.workspaces.incrementRevision(workspaceId, tx.session);
    if (!workspace) throw new ApiError('NOT_FOUND', { message: `no workspace has the id ${workspaceId}` });
    if ((await setPlan(service, tx, workspace, plan)) === workspace) return false;
    tx.invalidate({ [workspaceTag(workspaceId)]: workspace.revision });
    return true;
  });
}

/** Reads a workspace as its export names it; null if there is none. */
export async function readWorkspace(database: Database, id: string) {
  const found = await database.collection<{ _id: string; name: string }>('workspaces').findOne({ _id: id });
  return found && { id, name: found.name };
}
