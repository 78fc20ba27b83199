import { z } from 'zod';
import { roles } from '../identity/principal.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, example, field, forCreate, inRecord, withDefault } from '../schema/fields.ts';
import { component, emailAddress, personName, text, time, uuid, workspaceInBody } from '../schema/types.ts';

const TOKEN_CHARACTERS_MAX = 100;

export const invitationToken = () =>
  example(
    text(TOKEN_CHARACTERS_MAX, 1).describe('From the link of the invitation'),
    'wmi_mPqz0iUt7vC4bY8cK2nWd5sEoR1gXhLfJa9uVtQyZ3M',
  );

const invitationFields = {
  email: field(emailAddress().nullable().describe('Only this address may accept'), {
    default: null,
    kept: z.string().nullable(),
    example: 'mira@example.com',
  }),
  role: field(
    z
      .enum(roles)
      .describe('The role that it gives: never above the inviter’s own; without an email, at most member'),
    {
      default: 'member',
    },
  ),
};

export const InvitationCreate = body({ ...workspaceInBody, ...forCreate(invitationFields) }).meta({
  id: 'InvitationCreate',
});
export type InvitationCreate = z.output<typeof InvitationCreate>;

export const Invitation = component('Invitation', 'An invitation to a workspace, without its link', {
  id: uuid(),
  workspace_id: uuid(),
  ...inRecord(invitationFields),
  invited_by: uuid(),
  created_at: time(),
  expires_at: time(),
  mail: withDefault(
    z
      .enum(['waiting', 'sent', 'refused'])
      .nullable()
      .describe('Whether the link was mailed; refused for good by the mail server; null if it is not mailed'),
    null,
  ),
});
export type Invitation = z.output<typeof Invitation>;
export const invitationDefaults = defaultsOf(Invitation);

export const InvitationWithLink = Invitation.extend({
  url: z.string().optional().describe('The link to send, in the first answer only'),
}).meta({ id: 'InvitationWithLink', description: 'An invitation with its link, which only this answer has' });

export const InvitationAccept = body({ token: invitationToken() }).meta({
  id: 'InvitationAccept',
  description: 'The token of an invitation',
});

export const InvitationPreview = component('InvitationPreview', {
  workspace_name: example(z.string(), 'Platform team'),
  invited_by: personName().describe('The inviter’s name'),
  email: example(z.string().nullable(), 'mira@example.com'),
  role: z.enum(roles),
  expires_at: time(),
});
