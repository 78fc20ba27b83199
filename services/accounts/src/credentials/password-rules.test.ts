import { describe, expect, it } from '@jest/globals';
import { checkNewPassword } from './password-rules.ts';

const mira = { email: 'mira.long@example.com', name: 'Mira Castellanos' };
const check = (password: string) => checkNewPassword('password', password, mira);

describe('checkNewPassword', () => {
  it.each([
    ...['qwertyuiop', '1234567890', 'Password123', 'PASSWORD123', '1q2w3e4r5t', 'iloveyou12', 'basketball'],
    // Before CRLF in the list.
    ...['hannah1810'],
  ])('refuses %s, which is common', async (password) => {
    await expect(check(password)).rejects.toThrow(/^password: is a common password/);
  });

  it.each(['aaaaaaaaaaaa', 'abababababab', '1212121212', 'AaAaAaAaAa', '1234123412341234'])(
    'refuses %s, which repeats few characters',
    async (password) => {
      await expect(check(password)).rejects.toThrow(/at least 5 different characters/);
    },
  );

  it.each([
    ...['mira.long@example.com', 'MIRA.LONG@EXAMPLE.COM', 'mira.long@example.com1', 'mira.mira.mira.long'],
    ...['Mira Castellanos', 'miracastellanos', 'castellanos2026', 'mira.long-2026!', 'Waymark2026!'],
  ])('refuses %s, which is little more than the user’s address or name', async (password) => {
    await expect(check(password)).rejects.toThrow(/10 characters besides your e-mail address and name/);
  });

  it.each([
    'correct horse battery',
    'mira needs a longer one',
    'xkfjwhqzpd',
    '密码密码是一个很长的句子吧',
    '   spaces count',
  ])('accepts %s', async (password) => {
    await expect(check(password)).resolves.toBeUndefined();
  });

  it('accepts any characters after a short name', async () => {
    await expect(
      checkNewPassword('password', 'annual plans', { email: 'a@b.org', name: 'An' }),
    ).resolves.toBeUndefined();
  });

  it('needs the memory of one list for many checks at the same time', async () => {
    const before = process.memoryUsage().arrayBuffers;
    await Promise.all(Array.from({ length: 30 }, () => check('correct horse battery')));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
  });
});
