import { describe, expect, it } from '@jest/globals';
import { emailAddress } from './types.ts';

describe('an e-mail address', () => {
  const accepts = (text: string) => emailAddress().safeParse(text).success;

  it('has at most 64 characters before the @', () => {
    expect(accepts(`${'a'.repeat(64)}@example.com`)).toBe(true);
    expect(accepts(`${'a'.repeat(65)}@example.com`)).toBe(false);
  });
});
