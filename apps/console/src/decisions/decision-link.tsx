import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace/use-workspace.ts';

/** `isClamped`: in at most two lines, with the whole title on hover. */
export function DecisionLink(props: { id: string; isClamped?: boolean; children: string }) {
  const { id, isClamped = false, children } = props;
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      className="link mantine-focus-auto"
      {...(isClamped && { title: children })}
      to="/w/$workspaceId/decisions/$decisionId"
      params={{ workspaceId, decisionId: id }}
      preload={false}
    >
      {children}
    </Link>
  );
}
