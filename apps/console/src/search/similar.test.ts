import { describe, expect, it } from '@jest/globals';
import { isSimilar } from './similar.ts';

describe('a query with typos', () => {
  it.each([
    ['decisons', 'New decision', true],
    ['webhoks', 'Webhooks', true],
    ['invtie', 'Invite somebody', true],
    ['new decision', 'New decision', true],
    ['decision new', 'New decision', true],
    ['auditlog', 'Audit log', false],
    ['log', 'Audit log', true],
    ['lgo', 'Audit log', false],
    ['harbuor', 'Choose a harbour', true],
    ['grace hoper', 'Grace Hopper', true],
    ['Ärger', 'arger', true],
    ['schluessel', 'API-Schlüssel', true],
    ['grosse', 'Die große Mole', true],
    ['export', 'Insight', false],
    ['', 'Insight', false],
  ])('%j, %j: %j', (query, text, expected) => expect(isSimilar(query, text)).toBe(expected));
});
