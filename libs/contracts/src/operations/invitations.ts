import { Workspace } from '../resources/account.ts';
import {
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationPreview,
  InvitationWithLink,
} from '../resources/invitation.ts';
import { page } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import {
  IN_QUERY_OR_BODY,
  IN_RECORD,
  PAGE_IN_QUERY,
  PUBLIC,
  SELF_WRITE,
  SETTINGS_READ,
  SETTINGS_WRITE,
} from './presets.ts';

export const invitationOperations = operationTable('accounts', {
  listInvitations: {
    route: 'GET /invitations',
    summary: 'The invitations of a workspace that can still be accepted, newest first; never their links',
    ...SETTINGS_READ,
    ...PAGE_IN_QUERY,
    response: { status: 200, schema: page(Invitation) },
  },
  createInvitation: {
    route: 'POST /invitations',
    summary: 'Invite someone by a link that works once within seven days; only this answer has the link',
    ...SETTINGS_WRITE,
    ...IN_QUERY_OR_BODY,
    body: InvitationCreate,
    response: { status: 201, schema: InvitationWithLink },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'invitation.create',
  },
  revokeInvitation: {
    route: 'DELETE /invitations/{id}',
    summary: 'Revoke an invitation',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    response: { status: 204 },
    audit: 'invitation.revoke',
  },
  acceptInvitation: {
    route: 'POST /invitations/accept',
    summary: 'Join the workspace that an invitation is for',
    description: 'A user without an account signs up with the invitation instead.',
    ...SELF_WRITE,
    body: InvitationAccept,
    response: { status: 200, schema: Workspace },
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'invitation.accept',
  },
  previewInvitation: {
    route: 'POST /auth/invitation',
    summary: 'Show an invitation before it is accepted',
    description: 'A POST, so that the token is in no address and no log.',
    ...PUBLIC,
    bucket: 'read',
    body: InvitationAccept,
    response: { status: 200, schema: InvitationPreview },
    errors: ['NOT_FOUND'],
  },
});
