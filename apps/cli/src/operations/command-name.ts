import type { Operation } from '@waymark/contracts';

export interface CommandName {
  /** The first part of the path: `decisions`. */
  group: string;
  /** The action: `create`. Without it, the group itself is the command: `search`. */
  verb?: string;
}

/** A terminal has no cookies, so that operations of browsers that set or remove one are no commands. */
export const isCommand = ({ setsCookie }: Operation): boolean => setsCookie !== true;

/**
 * Derives the name of a command from path and id: `createDecision` is `decisions create`. The words of the id
 * that repeat the group are left out, and so are `get` and `list` before other words:
 * `listDecisionOutcomes` is `decisions outcomes`.
 */
export function commandNameOf({ id, path }: Pick<Operation, 'id' | 'path'>): CommandName {
  const group = path.split(/[/.]/)[1]!;
  const [verb = '', ...words] = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const rest = withoutGroup(words, group.split('-'));
  if (singular(verb) === singular(group))
    return rest.length > 0 ? { group, verb: rest.join('-') } : { group };
  const isRead = (verb === 'get' || verb === 'list') && rest.length > 0;
  return { group, verb: (isRead ? rest : [verb, ...rest]).join('-') };
}

function withoutGroup(words: string[], group: string[]): string[] {
  const text = (some: string[]) => some.map(singular).join('');
  for (let count = words.length; count > 0; count -= 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      if (text(words.slice(at, at + count)) === text(group)) return words.toSpliced(at, count);
    }
  }
  return group.length > 1 && words[0] === group[0] ? words.slice(1) : words;
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
