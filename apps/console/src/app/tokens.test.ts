import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const src = join(import.meta.dirname, '..');
const OWN_COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(/i;
const OWN_SIZE =
  /\b(?:font-size|font-weight|gap|padding[a-z-]*|margin[a-z-]*):[^;]*\b(?:[3-9]|\d{2,})(?:px|00)\b/;

describe('the style sheets', () => {
  it.each(globSync('**/*.css', { cwd: src }))(
    '%s takes colours, distances and text from tokens.ts',
    (file) => {
      const lines = readFileSync(join(src, file), 'utf8').split('\n');
      const own = lines.filter((line) => OWN_COLOR.test(line) || OWN_SIZE.test(line));
      expect(own).toEqual([]);
    },
  );
});
