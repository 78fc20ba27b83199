import { type DecisionEntries, entriesOf, revivedEntries } from './decision-entries.ts';
import type { Decision } from './decision-words.ts';

/** The draft of an edit: the version that the user began with, and the form's values. */
export interface EditDraft {
  base: Decision;
  entries: DecisionEntries;
}

export const editDraftName = (id: string) => `edit.${id}`;

/** Fails for a base that this version of the console cannot edit. */
export function revivedDraft({ base, entries }: EditDraft): EditDraft {
  entriesOf(base);
  return { base, entries: revivedEntries(entries) };
}
