import type { DecisionEntries } from '../decision-entries.ts';

export interface Section {
  id: 'title' | 'context' | 'options' | 'reasons' | 'forecast' | 'facts' | 'links';
  fields: (keyof DecisionEntries)[];
}

/** The parts of a decision that are written, and edited, together. */
export const SECTIONS: Section[] = [
  { id: 'title', fields: ['title'] },
  { id: 'context', fields: ['question', 'description'] },
  { id: 'options', fields: ['options', 'criteria'] },
  { id: 'reasons', fields: ['resolution', 'rationale'] },
  { id: 'forecast', fields: ['expectedBy', 'forecast'] },
  { id: 'facts', fields: ['status', 'decisionType', 'tags', 'decidedBy'] },
  { id: 'links', fields: ['supersedes', 'relatesTo'] },
];

/** Whether a section says something. */
export function isFilled({ fields }: Section, entries: DecisionEntries): boolean {
  return fields.some((field) => {
    const value = entries[field];
    if (field === 'status') return value !== 'proposed';
    if (typeof value === 'string') return value.trim() !== '';
    return value.some(
      (part) => typeof part === 'string' || (part.title + part.pros + part.cons).trim() !== '',
    );
  });
}

/** Whether a field of a section is in error. */
export const isInError = ({ fields }: Section, errors: object): boolean =>
  Object.keys(errors).some((path) => (fields as string[]).includes(path.split('.')[0]!));
