import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { encrypted } from './age.ts';

test('a recipient that is none is named', async () => {
  await expect(encrypted(Readable.from('text'), ['age1abc'])).rejects.toThrow(
    /^"age1abc" is not a recipient of age: /,
  );
});
