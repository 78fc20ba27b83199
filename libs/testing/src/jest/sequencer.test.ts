import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { testFolder } from '../test-folder.ts';
import Sequencer from './sequencer.ts';

const { TEST_ORDER } = process.env;
beforeEach(() => void delete process.env['TEST_ORDER']);
afterEach(() => void (TEST_ORDER !== undefined && Object.assign(process.env, { TEST_ORDER })));

it('runs the file with most code first, also if that stands beside it', () => {
  const folder = testFolder();
  const files = {
    'a.test.ts': 'it',
    'b.test.ts': 'it in b, which is longer than c',
    'c.test.ts': "import c from './c.ts'",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'c.ts'), 'it'.repeat(100));
  const tests = Object.keys(files).map((name) => ({ path: join(folder, name) }));
  const names = new Sequencer().sort(tests).map(({ path }) => path.at(-9));
  expect(names).toEqual(['c', 'b', 'a']);
});
