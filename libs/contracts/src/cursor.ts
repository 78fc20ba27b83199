import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from './errors.ts';

/** The sort-key values of a page's last item, in the order of the sort. */
export type CursorPosition = readonly (string | number | null)[];

const MAC_BYTES = 16;

/**
 * Keyset cursors: base64url of a 16-byte HMAC-SHA256 over scope and position, then the position. The first
 * secret signs and all verify, so that cursors stay valid while a secret is rotated.
 */
export function cursorCodec(...secrets: [string, ...string[]]) {
  const mac = (secret: string, scope: string, position: string) =>
    createHmac('sha256', secret).update(`cursor\0${scope}\0${position}`).digest().subarray(0, MAC_BYTES);
  return {
    /** `scope` names everything the cursor is valid for: operation, workspace, filters, sort. */
    encode(scope: string, position: CursorPosition): string {
      const text = JSON.stringify(position);
      return Buffer.concat([mac(secrets[0], scope, text), Buffer.from(text)]).toString('base64url');
    },
    /** Throws VALIDATION_ERROR on `cursor` when it is altered or was issued for another list. */
    decode(scope: string, cursor: string): CursorPosition {
      const bytes = Buffer.from(cursor, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString();
      const given = bytes.subarray(0, MAC_BYTES);
      if (
        given.length !== MAC_BYTES ||
        bytes.toString('base64url') !== cursor ||
        !secrets.some((secret) => timingSafeEqual(given, mac(secret, scope, text)))
      ) {
        throw invalid(
          'cursor',
          'is not a cursor of this list; send next_cursor unchanged with the same filters',
        );
      }
      return JSON.parse(text) as CursorPosition;
    },
  };
}

export type CursorCodec = ReturnType<typeof cursorCodec>;
