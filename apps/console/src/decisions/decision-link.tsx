import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** A list shows its first two lines, and the whole title on hover. */
export function DecisionLink({ id, children }: { id: string; children: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      className="link mantine-focus-auto"
      title={children}
      to="/w/$workspaceId/decisions/$decisionId"
      params={{ workspaceId, decisionId: id }}
      preload={false}
    >
      {children}
    </Link>
  );
}
