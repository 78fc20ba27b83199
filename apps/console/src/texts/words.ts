import { defineTexts } from './define-texts.ts';

/** Values of the API as users read them. Names of events, scopes and codes stay as they are. */
export const wordsTexts = defineTexts('words', {
  status: { proposed: 'proposed', accepted: 'accepted', rejected: 'rejected', archived: 'archived' },
  outcome: {
    pending: 'pending',
    success: 'success',
    partial: 'partial',
    failure: 'failure',
    abandoned: 'abandoned',
  },
  role: { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer' },
  /** A kind of record: `api_key` as api key. */
  kind: (name: string) => (name === 'thread' ? 'discussion' : name.replaceAll('_', ' ')),
  /** A field of the API: `optionsConsidered` and `expected_by` as options considered and expected by. */
  field: (name: string) =>
    name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
});
