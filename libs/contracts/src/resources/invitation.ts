import { z } from 'zod';
import { roles } from '../identity/principal.ts';
import { body, text, time, uuid } from '../schema/types.ts';

const TOKEN_CHARACTERS_MAX = 100;

/** An invitation's token as it stands in a link. */
export const invitationToken = () => text(TOKEN_CHARACTERS_MAX, 1);

export const InvitationCreate = body({
  workspaceId: uuid().optional().describe('Here or in the query'),
  email: z.email().max(254).toLowerCase().nullable().default(null).describe('Only this address may accept'),
  role: z.enum(roles).default('member').describe('Never above the inviter’s own'),
}).meta({ id: 'InvitationCreate' });
export type InvitationCreate = z.output<typeof InvitationCreate>;

export const Invitation = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    email: z.string().nullable(),
    role: z.enum(roles),
    invited_by: uuid(),
    created_at: time(),
    expires_at: time(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof Invitation>;

export const InvitationWithLink = Invitation.extend({
  url: z.string().optional().describe('The link to send, in the first answer only'),
}).meta({ id: 'InvitationWithLink' });

export const InvitationAccept = body({ token: invitationToken() }).meta({ id: 'InvitationAccept' });

export const InvitationPreview = z
  .object({
    workspace_name: z.string(),
    invited_by: z.string().describe('The inviter’s name'),
    email: z.string().nullable(),
    role: z.enum(roles),
    expires_at: time(),
  })
  .meta({ id: 'InvitationPreview' });
