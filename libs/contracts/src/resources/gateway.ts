import { z } from 'zod';
import { scopes } from '../identity/principal.ts';
import { uuid } from '../schema/types.ts';

export const Whoami = z
  .object({
    authType: z.enum(['session', 'apiKey']),
    userId: uuid().describe('Of a key: its creator'),
    workspaceId: uuid().nullable().describe('Of a session: the workspace in the query, if any'),
    keyId: uuid().nullable(),
    keyPrefix: z.string().nullable(),
    keyName: z.string().nullable(),
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
