import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { useArrange } from './use-arrange.ts';
import { columnsAmong, useColumns } from './use-columns.ts';
import { filtersOfView, type View } from './views-query.ts';

/** Opens a view with its columns. */
export function ViewLink({ view, onOpen }: { view: View; onOpen?: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const columns = useColumns();
  const arrange = useArrange();
  return (
    <Link
      to="/w/$workspaceId/decisions"
      params={{ workspaceId }}
      search={filtersOfView(view)}
      className="place mantine-focus-auto"
      onClick={() => {
        const own = columnsAmong(view.columns);
        if (own.join() !== columns.join()) arrange.mutate({ columns: own });
        onOpen?.();
      }}
    >
      {view.name}
      {view.shared && <Users size={14} role="img" aria-label={t.isShared} />}
    </Link>
  );
}
