import { z } from 'zod';
import { component, integer } from '../schema/types.ts';
import { ErrorBody } from './gateway.ts';

export const BatchItemResult = component('BatchItemResult', 'The answer of one operation of a batch', {
  status: integer().describe('The status that the operation has by itself'),
  body: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What the operation answers by itself; null without content and with an error'),
  error: ErrorBody.nullable(),
});
export type BatchItemResult = z.output<typeof BatchItemResult>;

export const BatchResults = component('BatchResults', {
  results: z.array(BatchItemResult).describe('In the order of the operations'),
});
export type BatchResults = z.output<typeof BatchResults>;
