import { limits } from '@waymark/contracts';
import type { ParsedMadr } from './parse-madr.ts';

/** Returns the fields of a decision that a Markdown record has, except its links to others. */
export function decisionFields(parsed: ParsedMadr) {
  const { context, drivers, options, type, decision_makers, date: _, superseded_by: __, ...others } = parsed;
  const { id: ___, supersedes: ____, relates_to: _____, ...fields } = others;
  return {
    ...fields,
    description: context,
    options_considered: options.map(({ title, pros, cons }) =>
      pros.length + cons.length === 0 ? title : { title, pros, cons },
    ),
    criteria: drivers,
    decision_type: type,
    tags: fields.tags.slice(0, limits.listItems),
    decided_by: decision_makers,
  };
}
