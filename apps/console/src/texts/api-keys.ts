import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

/** The API keys of a workspace. */
export const apiKeysTexts = defineTexts('apiKeys', {
  planReason: 'With a key, programs can log and read decisions.',
  empty: 'No API keys yet',
  emptyHint:
    'Programs authenticate with a key of this workspace. Give each program its own, so that you can revoke one without the others.',
  columns: ['Name', 'State', 'May', 'Last used', 'Created', 'Actions'],
  states: { revoked: 'revoked', expired: 'expired', replaced: 'replaced', active: 'active' },
  until: (time: ReactNode) => rich`until ${time}`,
  may: { read: 'Read', write: 'Read and write' },
  settings: (time: ReactNode) => rich`also change settings until ${time}`,
  from: (addresses: string) => `from ${addresses}`,

  key: 'API key',
  firstCall: 'Make the first call',

  new: {
    start: 'Create a key',
    title: 'Create an API key',
    create: 'Create key',
    nameHint: 'The program that uses the key; shown in the audit log',
    may: 'It may',
    read: 'Read',
    write: 'Read and write',
    validFor: 'Valid for',
    /** By days. */
    lifetimes: { 30: '30 days', 90: '90 days', 365: 'A year', '': 'Until it is revoked' },
    addresses: 'Allowed addresses',
    addressesHint: 'IP addresses or blocks such as 203.0.113.0/24, one per line; empty allows any address',
    note: 'Keep it where the program keeps its secrets. Only its hash is stored here.',
  },

  revoke: {
    act: 'Revoke',
    ask: (name: string) => `Revoke ${name}?`,
    consequence: 'Programs that use it are refused at once. A revoked key cannot be restored.',
    done: (name: string) => `${name} is revoked.`,
  },

  rotate: {
    act: 'Rotate',
    of: (name: string) => `Rotate ${name}`,
    hint: 'A new key with the same rights replaces it.',
    overlap: 'How long the old key continues to work',
    /** By seconds. */
    overlaps: { 0: 'It stops working at once', 3600: 'An hour', 86400: 'A day', 604800: 'A week' },
    note: 'Replace the old key with this one. The old key stops working at the end of the overlap.',
  },
});
