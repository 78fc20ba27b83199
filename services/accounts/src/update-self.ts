import type { Language, User } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from './context.ts';
import { memberSubject } from './members.ts';
import { userTag } from './tags.ts';
import { changeOwnAccount, userEvent } from './users.ts';
import { memberView, userView } from './views.ts';

/** Changes the caller's name or language. Each of the caller's workspaces records a new name. */
export function updateSelf(
  service: AccountsContext,
  ctx: RequestContext,
  input: { name?: string | undefined; language?: Language | undefined },
): Promise<User> {
  const { members, users } = service.store;
  return changeOwnAccount(service, ctx, async (tx, known) => {
    const { name = known.name, language = known.language } = input;
    if (name === known.name && language === known.language) return userView(known);
    const updated_at = timestamp(service);
    const user = (await users.update(known.id, tx.session, { set: { name, language, updated_at } }))!;
    tx.invalidate({ [userTag(user.id)]: user.revision });
    // The actor has the name from before.
    const { actor } = ctx;
    const changes = changesBetween(known, user, ['name', 'language']);
    tx.emit('user.updated', { ...userEvent(user, { id: user.id }), actor, changes });
    if (name === known.name) return userView(user);
    for (const member of await members.touchOf(user.id, updated_at, tx.session)) {
      tx.emit('workspace.member_updated', {
        workspaceId: member.workspace_id,
        action: 'member.update',
        actor,
        subject: memberSubject(member),
        data: memberView(member, user),
        changes: changesBetween(known, user, ['name']),
      });
    }
    return userView(user);
  });
}
