import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace/use-workspace.ts';

export function DecisionLink({ id, children }: { id: string; children: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      className="link mantine-focus-auto"
      to="/w/$workspaceId/decisions/$decisionId"
      params={{ workspaceId, decisionId: id }}
      preload={false}
    >
      {children}
    </Link>
  );
}
