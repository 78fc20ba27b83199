import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../session/use-workspace.ts';

export function DecisionLink({ id, children }: { id: string; children: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Anchor
      size="sm"
      display="inline-block"
      lh="24px"
      renderRoot={(props) => (
        <Link
          to="/w/$workspaceId/decisions/$decisionId"
          params={{ workspaceId, decisionId: id }}
          preload={false}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
