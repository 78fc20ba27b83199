import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import { component, text, time, uuid, workspaceInBody } from '../schema/types.ts';
import { Author } from './audit.ts';

export const reviewResults = ['reaffirm', 'change', 'supersede'] as const;

export const DecisionReview = component('DecisionReview', 'A review of an accepted decision', {
  result: z.enum(reviewResults),
  note: z.string().nullable(),
  reviewer: Author,
  reviewed_at: time(),
});
export type DecisionReview = z.output<typeof DecisionReview>;

export const DecisionReviewCreate = body(
  {
    ...workspaceInBody,
    result: example(z.enum(reviewResults), 'supersede').describe(
      'change: the decision holds until somebody changes it; supersede: another one replaces it',
    ),
    note: text(limits.reasonCharacters).nullable().optional().describe('What the review found'),
    superseded_by: uuid().optional().describe('The decision that replaces this one; only with supersede'),
  },
  ({ result, supersededBy }, issue) => {
    if ((result === 'supersede') !== (supersededBy !== undefined))
      issue('supersededBy', 'is required with supersede, and not allowed with another result');
  },
).meta({ id: 'DecisionReviewCreate' });
export type DecisionReviewCreate = z.output<typeof DecisionReviewCreate>;
