import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { viewsTexts as t } from '../texts/views.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { useArrange } from './use-arrange.ts';
import { useViews, type View, type ViewedList } from './views-query.ts';

/** Opens a view with its columns. */
export function ViewLink({ list, view, onOpen }: { list: ViewedList; view: View; onOpen?: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const columns = useViews(list.kind)?.settings.columns;
  const arrange = useArrange(list.kind);
  return (
    <Link
      to={list.to}
      params={{ workspaceId }}
      search={list.filtersOf(view)}
      className="place mantine-focus-auto"
      onClick={() => {
        if (view.columns.join() !== columns?.join()) arrange.mutate({ columns: view.columns });
        onOpen?.();
      }}
    >
      {view.name}
      {view.shared && <Users size={14} role="img" aria-label={t.isShared} />}
    </Link>
  );
}
