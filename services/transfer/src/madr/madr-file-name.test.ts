import { describe, expect, it } from '@jest/globals';
import { madrFileName } from './madr-file-name.ts';

describe('madrFileName', () => {
  it.each([
    [1, 'Use PostgreSQL', '0001-use-postgresql.md'],
    [12_345, 'Straße & Größe?', '12345-straße-größe.md'],
    [2, '../../etc/passwd', '0002-etc-passwd.md'],
    [3, 'C:\\x\0', '0003-c-x.md'],
    [4, '決定を記録する', '0004-決定を記録する.md'],
    [5, '…', '0005-decision.md'],
    [6, `${'x'.repeat(59)} y`, `0006-${'x'.repeat(59)}.md`],
  ])('%i %j is %j', (number, title, expected) => {
    expect(madrFileName(number, title)).toBe(expected);
  });
});
