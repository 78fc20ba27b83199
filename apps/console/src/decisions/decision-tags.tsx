import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { Decision } from './decision-words.ts';

/** The type and the tags of a decision. */
export function DecisionTags({ decision: { decision_type: type, tags } }: { decision: Decision }) {
  return (
    <>
      {type !== null && <DecisionTag type={type} />}
      {tags.map((tag) => (
        <DecisionTag key={tag} tag={tag} />
      ))}
    </>
  );
}

/** A type or a tag, as a link to the decisions that share it. */
export function DecisionTag(search: { type: string } | { tag: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      className="link mantine-focus-auto"
      data-quiet
      to="/w/$workspaceId/decisions"
      params={{ workspaceId }}
      search={search}
      preload={false}
    >
      {'tag' in search ? `#${search.tag}` : search.type}
    </Link>
  );
}
