import { Link } from '@tanstack/react-router';
import { number } from '../texts/format.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { Decision } from './decision-words.ts';
import './decision-tags.css';

const EM_SPACE = '\u2003';
const inWords = (tag: string) => `#${tag}`;

/** The type and the tags of a decision, all of which the pointer, the focus or a tap shows. */
export function DecisionTags({ decision: { decision_type: type, tags } }: { decision: Decision }) {
  const words = [...(type === null ? [] : [type]), ...tags.map(inWords)];
  if (words.length === 0) return null;
  const more = words.length > 1 ? `+${number(words.length - 1)}` : undefined;
  return (
    <div
      className="tags"
      // A tap gives it the focus.
      tabIndex={-1}
      data-all={words.join(EM_SPACE)}
      data-first={words[0]}
      data-more={more}
    >
      <div data-more={more}>
        {type !== null && <DecisionTag type={type} />}
        {tags.map((tag) => (
          <DecisionTag key={tag} tag={tag} />
        ))}
      </div>
    </div>
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
      {'tag' in search ? inWords(search.tag) : search.type}
    </Link>
  );
}
