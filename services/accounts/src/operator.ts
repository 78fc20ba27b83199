import { randomBytes } from 'node:crypto';
import { ApiError, operations, type Plan } from '@waymark/contracts';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import type { Database } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { type AccountsContext, accountsContext } from './context.ts';
import { findUser } from './erase-person.ts';
import { schema } from './schema.ts';
import { replacePassword } from './sign-in/reset-password.ts';
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
  const { id } = await findUser(service, email);
  const password = newPassword();
  const passwordHash = await service.passwords.hash(password);
  const ctx = operatorContext('user.recover_password');
  await service.commit(ctx, async (tx) => {
    const user = await replacePassword(service, tx, id, passwordHash);
    if (!user) throw new ApiError('NOT_FOUND');
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

/** Reads a workspace as its export names it; null if there is none. */
export async function readWorkspace(database: Database, id: string) {
  const found = await database.collection<{ _id: string; name: string }>('workspaces').findOne({ _id: id });
  return found && { id, name: found.name };
}
