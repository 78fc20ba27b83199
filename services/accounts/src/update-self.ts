import type { User, UserUpdate } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, subjectOf } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from './context.ts';
import { userTag } from './tags.ts';
import { changeOwnAccount, userEvent } from './users.ts';
import { memberView, userView } from './views.ts';

const FIELDS = ['name', 'language', 'density'] as const;

/** Changes the caller's name, language or density. Each of the caller's workspaces records a new name. */
export function updateSelf(service: AccountsContext, ctx: RequestContext, input: UserUpdate): Promise<User> {
  const { members, users } = service.store;
  return changeOwnAccount(service, ctx, async (tx, known) => {
    const { name = known.name, language = known.language, density = known.density } = input;
    const changes = changesBetween(known, { ...known, name, language, density }, FIELDS);
    if (Object.keys(changes).length === 0) return userView(known);
    const updated_at = timestamp(service);
    const user = (await users.update(known.id, tx.session, {
      set: { name, language, density, updated_at },
    }))!;
    tx.invalidate({ [userTag(user.id)]: user.revision });
    // The actor has the name from before.
    const { actor } = ctx;
    tx.emit('user.updated', { ...userEvent(user, { id: user.id }), actor, changes });
    if (name === known.name) return userView(user);
    for (const member of await members.touchOf(user.id, updated_at, tx.session)) {
      tx.emit('workspace.member_updated', {
        workspaceId: member.workspace_id,
        action: 'member.update',
        actor,
        subject: subjectOf('member', member),
        data: memberView(member, user),
        changes: changesBetween(known, user, ['name']),
      });
    }
    return userView(user);
  });
}
