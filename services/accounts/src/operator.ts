import { randomBytes } from 'node:crypto';
import { ApiError, newId, operations, type Plan } from '@waymark/contracts';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { createPasswords } from './credentials/passwords.ts';
import { operatorContext, userEvent } from './events.ts';
import { schema } from './schema.ts';
import { createSessions } from './sessions/sessions.ts';
import { openStore } from './store/index.ts';
import type { MemberRecord } from './store/members.ts';
import type { UserRecord } from './store/users.ts';
import { workspaceTag } from './tags.ts';
import { memberView } from './views.ts';
import { createWorkspaces } from './workspaces/workspaces.ts';

const PASSWORD_BYTES = 18;
const ERASED_NAME = 'Erased person';
/** Nobody's hash: no password matches it, and nobody else can have it, so that it tells who is erased already. */
const NO_PASSWORD = '!';

/** What an operator does to accounts, with the service's own environment and beside its running replicas. */
export interface AccountsOperator {
  /** A user with a workspace, whatever SIGN_UP says; null when the email has an account already. */
  createOwner(input: {
    email: string;
    name: string;
    workspaceName: string;
  }): Promise<{ userId: string; workspaceId: string; password: string } | null>;
  /** A new password in place of a forgotten one; ends every session. Throws NOT_FOUND. */
  recoverPassword(email: string): Promise<{ password: string }>;
  /** Whatever PLAN_CHANGES says; false when it has the plan already. Throws NOT_FOUND. */
  changePlan(workspaceId: string, plan: Plan): Promise<boolean>;
  /** Throws NOT_FOUND, and CONFLICT naming the workspaces that would be left without an owner. */
  erasable(emailOrId: string): Promise<{ userId: string; email: string }>;
  /**
   * Takes name, address and way in from an account, and its memberships; what it did stays, under its id. Done again, it does
   * the rest. Throws as `erasable` does.
   */
  erasePerson(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the accounts of an installation. Throws EnvironmentError, PendingMigrationsError. */
export async function openAccountsOperator(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<AccountsOperator> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { commit, database, now } = runtime;
  await database.ready;
  const store = openStore(database);
  const passwords = createPasswords();
  const sessions = createSessions({ store, commit, config, now });
  const workspaces = createWorkspaces({
    store,
    commit,
    changeWorkspace: () => Promise.reject(new Error('an operator has no session to change a workspace by')),
    config,
    now,
    onDeleted: () => undefined,
  });
  const iso = () => new Date(now()).toISOString();

  async function endSessions(userId: string, tx: Transaction): Promise<void> {
    await sessions.endAll(await store.sessions.activeOf(userId, iso(), tx.session), tx);
  }

  async function known(emailOrId: string): Promise<UserRecord> {
    const user = (await store.users.byEmail(emailOrId.toLowerCase())) ?? (await store.users.byId(emailOrId));
    if (!user) throw new ApiError('NOT_FOUND', { message: `nobody here is ${emailOrId}` });
    return user;
  }

  async function isLastOwner(member: MemberRecord, session: Transaction['session']): Promise<boolean> {
    return member.role === 'owner' && (await store.members.countOwners(member.workspace_id, session)) < 2;
  }

  return {
    async createOwner({ email, name, workspaceName }) {
      const address = email.toLowerCase();
      if (await store.users.byEmail(address)) return null;
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
      const passwordHash = await passwords.hash(password);
      return commit(operatorContext('user.create'), async (tx) => {
        const times = { created_at: iso(), updated_at: iso() };
        const user = {
          id: newId(),
          email: address,
          name,
          password_hash: passwordHash,
          revision: 1,
          ...times,
        };
        await store.users.insert(user, tx.session);
        const data = { id: user.id, email: address, name, created_at: user.created_at };
        tx.emit('user.signed_up', { ...userEvent(user, data), actor: operatorContext('').actor });
        const workspace = await workspaces.establish(tx, user, workspaceName);
        return { userId: user.id, workspaceId: workspace.id, password };
      });
    },

    async recoverPassword(email) {
      const { id } = await known(email);
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
      const password_hash = await passwords.hash(password);
      await commit(operatorContext('user.recover_password'), async (tx) => {
        const user = await store.users.raise(id, tx.session, { set: { password_hash, updated_at: iso() } });
        if (!user) throw new ApiError('NOT_FOUND');
        await endSessions(id, tx);
        tx.emit('user.password_changed', { ...userEvent(user, { id }), actor: operatorContext('').actor });
      });
      return { password };
    },

    changePlan(workspaceId, plan) {
      return commit(operatorContext(operations.changePlan.audit), async (tx) => {
        const workspace = await store.workspaces.raise(workspaceId, tx.session);
        if (!workspace)
          throw new ApiError('NOT_FOUND', { message: `no workspace has the id ${workspaceId}` });
        if ((await workspaces.setPlan(tx, workspace, plan)) === workspace) return false;
        tx.invalidate({ [workspaceTag(workspaceId)]: workspace.revision });
        return true;
      });
    },

    async erasable(emailOrId) {
      const { id, email } = await known(emailOrId);
      const orphaned: string[] = [];
      await database.client.withSession(async (session) => {
        for (const member of await store.members.ofUser(id)) {
          if (await isLastOwner(member, session)) orphaned.push(member.workspace_id);
        }
      });
      if (orphaned.length > 0) throw wouldOrphan(orphaned);
      return { userId: id, email };
    },

    async erasePerson(id) {
      const { email, password_hash } = await known(id);
      if (password_hash === NO_PASSWORD) return;
      const { actor } = operatorContext('');
      await commit(operatorContext('user.erase'), async (tx) => {
        // Nobody can sign up with an address first that nobody can tell before.
        const address = `${newId()}@erased.invalid`;
        const erased = { email: address, name: ERASED_NAME, password_hash: NO_PASSWORD };
        const user = await store.users.raise(id, tx.session, { set: { ...erased, updated_at: iso() } });
        if (!user) throw new ApiError('NOT_FOUND');
        tx.emit('user.erased', { ...userEvent(user, { id }), actor });
        const orphaned: string[] = [];
        for (const member of await store.members.ofUser(id, tx.session)) {
          const workspace = await store.workspaces.raise(member.workspace_id, tx.session);
          if (await isLastOwner(member, tx.session)) orphaned.push(member.workspace_id);
          await store.members.remove(member.id, tx.session);
          if (!workspace) continue;
          tx.invalidate({ [workspaceTag(workspace.id)]: workspace.revision });
          const data = memberView(member, user);
          tx.emit('workspace.member_removed', {
            workspaceId: workspace.id,
            action: 'member.remove',
            actor,
            subject: { type: 'member', id: member.id, version: member.version + 1 },
            data,
            changes: changesBetween(data, null, ['user_id', 'role']),
          });
        }
        if (orphaned.length > 0) throw wouldOrphan(orphaned);
        await store.invitations.forgetEmail(email, tx.session);
        await store.identities.removeOf(id, tx.session);
        await endSessions(id, tx);
        await store.sessions.forgetClients(id, tx.session);
      });
    },

    async close() {
      await runtime.outbox.stop();
      await runtime.close();
      await database.close();
    },
  };
}

function wouldOrphan(workspaceIds: string[]): ApiError {
  return new ApiError('CONFLICT', {
    message: `the only owner of ${workspaceIds.join(', ')}: give them another owner, or delete them, first`,
  });
}
