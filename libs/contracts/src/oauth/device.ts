import { z } from 'zod';
import { scopes } from '../identity/principal.ts';
import { limits } from '../limits.ts';
import { changesSettings } from '../resources/account.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import { component, text, time, workspaceInBody } from '../schema/types.ts';

/* Sign-in of a program on a device without a browser (RFC 8628). */

/** The only program that may ask: the command line, whose keys are for the whole API. */
export const DEVICE_CLIENT = 'waymark-cli';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Why the token endpoint gives no key yet, or none at all (RFC 8628, 3.5). */
export const deviceErrors = ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const;

/** A request to the device authorization endpoint; `device_name` is an extension of ours. */
export const DeviceAuthorizationRequest = z.object({
  client_id: z.string(),
  scope: z.string().default('read'),
  device_name: z.string().max(limits.urlCharacters).default(''),
});

/** The response to the program (RFC 8628, 3.2). No address has the code: nobody can send it as a link. */
export const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});

const userCode = () =>
  example(
    text(20, 1).describe('The code that the terminal shows; case and hyphens do not matter'),
    'WDJB-MJHT',
  );

export const DeviceLoginCode = body({ user_code: userCode() }).meta({
  id: 'DeviceLoginCode',
  description: 'The code that a terminal shows',
});

export const DeviceLoginAllow = body({
  ...workspaceInBody,
  user_code: userCode(),
  changes_settings: changesSettings(),
}).meta({
  id: 'DeviceLoginAllow',
});
export type DeviceLoginAllow = z.output<typeof DeviceLoginAllow>;

export const DeviceLogin = component('DeviceLogin', 'A command line that asks a person for an API key', {
  name: example(z.string().describe('What the machine calls itself; nobody has checked it'), 'build-7'),
  ip: example(z.string().describe('The address from which it asked'), '203.0.113.7'),
  scopes: z.array(z.enum(scopes)),
  created_at: time(),
  expires_at: time(),
});
export type DeviceLogin = z.output<typeof DeviceLogin>;
