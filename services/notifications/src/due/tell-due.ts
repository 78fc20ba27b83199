import type { NotificationsContext } from '../context.ts';
import { changeAndTell } from '../tell.ts';
import { takeDue } from './next-due.ts';

const AT_ONCE = 100;

/** Returns a function that tells those responsible of dates of decisions that have come. */
export function tellDue(service: NotificationsContext) {
  return async (stopping: AbortSignal): Promise<void> => {
    for (;;) {
      const now = new Date(service.now()).toISOString();
      const found = await service.store.due(now, AT_ONCE);
      const deleted = await service.workspaces.deletedAmong(found.map(({ workspace_id }) => workspace_id));
      const known = found.filter(({ workspace_id }) => !deleted.has(workspace_id));
      for (const { id, type, workspace_id: workspaceId } of known) {
        if (stopping.aborted) return;
        const cause = {
          workspaceId,
          time: now,
          actor: { type: 'service' as const, id: null, name: null, key_prefix: null },
        };
        await changeAndTell(service, cause, [{ id, type }], async (known) => {
          const subject = known.get(id)!;
          const { kinds, rest } = takeDue(subject.due, now);
          const drafts = kinds.flatMap((kind) =>
            subject.responsible.map((user_id) => ({
              subject,
              user_id,
              kind,
              cause: `${kind}/${id}/${subject.due[kind]}`,
            })),
          );
          Object.assign(subject, rest);
          return drafts;
        });
      }
      // Dates of deleted workspaces stay until the purge.
      if (found.length < AT_ONCE || known.length === 0) return;
    }
  };
}
