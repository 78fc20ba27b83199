import { randomBytes } from 'node:crypto';
import { ApiError, operations, type Plan } from '@waymark/contracts';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { type AccountsContext, accountsContext, timestamp } from './context.ts';
import { findUser } from './erase-person.ts';
import { schema } from './schema.ts';
import { endSessions } from './sessions/sessions.ts';
import { workspaceTag } from './tags.ts';
import { insertUser, operatorContext, userEvent } from './users.ts';
import { insertWorkspace, setPlan } from './workspaces/workspaces.ts';

export { erasePerson, findErasable } from './erase-person.ts';

export type AccountsOperator = Awaited<ReturnType<typeof openAccountsOperator>>;

const PASSWORD_BYTES = 18;
const newPassword = () => randomBytes(PASSWORD_BYTES).toString('base64url');

/** Opens the accounts beside the running replicas. Throws EnvironmentError, PendingMigrationsError. */
export async function openAccountsOperator(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  await runtime.database.ready;
  return {
    ...accountsContext(config, runtime),
    async close() {
      await runtime.outbox.stop();
      await runtime.close();
      await runtime.database.close();
    },
  };
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

/** Replaces a forgotten password, and ends every session and passkey. Throws NOT_FOUND. */
export async function recoverPassword(service: AccountsContext, email: string) {
  const { store, passwords, commit } = service;
  const { id } = await findUser(service, email);
  const password = newPassword();
  const password_hash = await passwords.hash(password);
  const ctx = operatorContext('user.recover_password');
  await commit(ctx, async (tx) => {
    const now = timestamp(service);
    const set = { password_hash, password_changed_at: now, updated_at: now };
    const user = await store.users.update(id, tx.session, { set });
    if (!user) throw new ApiError('NOT_FOUND');
    await store.passkeys.removeOf(id, tx.session);
    await endSessions(service, tx, await store.sessions.activeOf(id, now, tx.session));
    tx.emit('user.password_changed', { ...userEvent(user, { id }), actor: ctx.actor });
  });
  return { password };
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
