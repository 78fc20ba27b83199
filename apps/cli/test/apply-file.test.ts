import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { runWith } from './run.ts';

const folder = testFolder();
const file = join(folder, 'workspace.yaml');

const apply = (...args: string[]) =>
  runWith({ env: { WAYMARK_URL: 'http://127.0.0.1:9', WAYMARK_API_KEY: '' } }, 'apply', ...args);

function invalid(text: string | Buffer) {
  writeFileSync(file, text);
  return apply('-f', file);
}

describe('an invalid file', () => {
  it.each([
    ['nothing', '# only a comment', [/^FILE:1: is empty$/]],
    ['no list', 'workspaceId: 0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60', [/:1: has none of webhooks, members/]],
    ['a list without a value', 'members:', [/:1: members: must be an array, not null/]],
    ['broken YAML', 'members: []\nwebhooks: [', [/:2: /]],
    ['two documents', 'members: []\n---\nwebhooks: []', [/:2: begins a second document/]],
    ['a tab', 'members:\n\t- email: x', [/:2: Tabs are not allowed/]],
    ['a key twice', 'members: []\nmembers: []', [/:2: repeats members/]],
    ['an alias', 'members: &all []\nwebhooks: *all', [/:2: has an alias/]],
    ['a tag', 'members: !!binary ""', [/:1: has a tag/]],
    ['too many levels', '['.repeat(100_000), [/:1: is nested too deeply/]],
    ['an unknown list', 'members: []\nteams: []', [/:2: teams: is not a field/]],
    [
      'unknown and missing fields, and a wrong role',
      'members:\n- email: a@example.com\n- email: b@example.com\n  role: boss\n  __proto__: {}',
      [
        /:2: members\.0\.role: is required/,
        /:4: members\.1\.role: must be one of/,
        /:5: members\.1\.__proto__: /,
      ],
    ],
    [
      'what is no address',
      'members: [{email: a, role: viewer}]\nwebhooks:\n- url: example.com\n  events: []',
      [/:1: members\.0\.email: /, /:3: webhooks\.0\.url: /, /:4: webhooks\.0\.events: /],
    ],
    [
      'an address twice',
      'members:\n- {email: a@example.com, role: viewer}\n\n- {email: A@Example.com, role: admin}',
      [/:4: members\.1\.email: is the same as in line 2$/],
    ],
    [
      'a URL twice',
      'webhooks:\n- url: https://example.com\n  events: [decision.created]\n- events: [decision.created]\n  url: HTTPS://example.com:443/',
      [/:5: webhooks\.1\.url: is the same as in line 2$/],
    ],
  ])('with %s names the lines, before anything is sent', async (_, text, lines) => {
    const refused = await invalid(text);
    expect(refused).toMatchObject({ code: 2, out: [] });
    expect(refused.errors.map((line) => line.replace(file, 'FILE'))).toEqual(
      lines.map((line) => expect.stringMatching(line)),
    );
  });

  it('is bounded, and text', async () => {
    const lineOf = async (refused: ReturnType<typeof apply>) => (await refused).errors[0];
    expect(await lineOf(invalid(`#${'x'.repeat(1_048_576)}`))).toMatch(/at most 1 MiB/);
    expect(await lineOf(invalid(Buffer.from([0xff, 0xfe])))).toMatch(/UTF-8/);
    for (const path of [folder, join(folder, 'missing')]) {
      const unreadable = await apply('-f', path);
      expect(unreadable).toMatchObject({ code: 2, errors: [expect.stringContaining('cannot be read')] });
    }
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`list${i}`, i]));
    expect((await invalid(JSON.stringify(many))).errors).toHaveLength(20);
    expect(await apply('-f', '-')).toMatchObject({ code: 2, errors: [expect.any(String)] });
    expect(await apply()).toMatchObject({ code: 2 });
  });
});
