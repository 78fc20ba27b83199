import { z } from 'zod';
import { scopes } from '../identity/principal.ts';
import { example } from '../schema/fields.ts';
import { uuid } from '../schema/types.ts';

export const Whoami = z
  .object({
    authType: z.enum(['session', 'apiKey']),
    userId: uuid().describe('The user, or the creator of the key'),
    workspaceId: uuid().nullable().describe('The workspace of the key, or the one in the query of a session'),
    keyId: uuid().nullable(),
    keyPrefix: example(z.string().nullable(), 'wmk_J9A216'),
    keyName: example(z.string().nullable(), 'Release desk'),
    scopes: z.array(z.enum(scopes)),
  })
  .meta({ id: 'Whoami' });
export type Whoami = z.output<typeof Whoami>;

export const Changelog = z
  .object({
    version: z.string(),
    entries: z.array(
      z.object({ date: z.iso.date(), kind: z.enum(['added', 'changed', 'fixed']), text: z.string() }),
    ),
    deprecated: z.array(z.string()),
    removed: z.array(z.string()),
  })
  .meta({ id: 'Changelog' });

export const ErrorBody = z
  .object({
    error: z.string().describe('Stable machine-readable code'),
    message: z.string().optional(),
    requiredScope: z.enum(scopes).optional(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string().optional(),
    docs: z.string().optional().describe('Path of the page that explains the code'),
  })
  .meta({ id: 'Error' });
