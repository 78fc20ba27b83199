import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { Decision } from './decision-words.ts';

/** The type and the tags of a decision, as links to the decisions that share them. */
export function DecisionTags({ decision: { decision_type: type, tags } }: { decision: Decision }) {
  const { id: workspaceId } = useWorkspace();
  const shared = [
    ...(type === null ? [] : [{ text: type, search: { type } }]),
    ...tags.map((tag) => ({ text: `#${tag}`, search: { tag } })),
  ];
  return shared.map(({ text, search }) => (
    <Link
      key={text}
      className="link mantine-focus-auto"
      data-quiet
      to="/w/$workspaceId/decisions"
      params={{ workspaceId }}
      search={search}
      preload={false}
    >
      {text}
    </Link>
  ));
}
