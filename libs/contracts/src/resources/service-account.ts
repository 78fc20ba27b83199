import { z } from 'zod';
import { serviceAccountRoles } from '../identity/principal.ts';
import { body } from '../schema/body.ts';
import { field, forCreate, forUpdate, inRecord } from '../schema/fields.ts';
import { component, name, time, uuid, workspaceInBody } from '../schema/types.ts';

const serviceAccountFields = {
  name: field(name().describe('What the program is called; unique in the workspace'), {
    example: 'Deployment',
  }),
  role: field(z.enum(serviceAccountRoles).describe('What its keys may do, within their scopes')),
};

export const ServiceAccount = component(
  'ServiceAccount',
  'A program with a role in a workspace; its API keys may do what the role may',
  {
    id: uuid().describe('The userId of its keys in whoami'),
    workspace_id: uuid(),
    ...inRecord(serviceAccountFields),
    created_by: uuid().describe('The user or the service account that created it'),
    created_at: time(),
    updated_at: time(),
  },
);
export type ServiceAccount = z.output<typeof ServiceAccount>;

export const ServiceAccountCreate = body({ ...workspaceInBody, ...forCreate(serviceAccountFields) }).meta({
  id: 'ServiceAccountCreate',
});
export type ServiceAccountCreate = z.output<typeof ServiceAccountCreate>;

export const ServiceAccountUpdate = body({ ...workspaceInBody, ...forUpdate(serviceAccountFields) }).meta({
  id: 'ServiceAccountUpdate',
});
export type ServiceAccountUpdate = z.output<typeof ServiceAccountUpdate>;
