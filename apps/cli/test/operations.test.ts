import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { mintApiKey, newId, type Operation, operationList } from '@waymark/contracts';
import { testFolder } from '@waymark/testing';
import { commandNameOf, isCommand } from '../src/operations/command-name.ts';
import { parametersOf } from '../src/operations/parameters.ts';
import { writeProfiles } from '../src/profiles/profile-file.ts';
import { run, runWith } from './run.ts';

const commands: Operation[] = operationList.filter(isCommand);
const wordsOf = (operation: Operation) => Object.values(commandNameOf(operation));

describe('the commands of operations', () => {
  it('have names of their own', () => {
    const names = commands.map((operation) => wordsOf(operation).join(' '));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['whoami', 'decisions create', 'decisions outcomes']));
    // No command repeats its group, such as `webhooks list-webhooks`.
    for (const name of names) expect(name).not.toMatch(/^(\w{4,}?)s? \S*\1/);
  });

  it.each(commands.map((operation) => [wordsOf(operation).join(' '), operation] as const))(
    '%s has a flag or an argument for each value of the request, and says what it is',
    async (_, operation) => {
      const { code, text } = await run({}, ...wordsOf(operation), '--help');
      expect(code).toBe(0);
      const shown = text.replaceAll(/\s+/g, ' ');
      const values = parametersOf(operation).filter(({ isDeprecated }) => !isDeprecated);
      for (const { name, flag, description } of values) {
        expect(
          text.includes(`--${flag} `) || text.includes(`<${name}>`) || text.includes(`--${flag}\n`),
        ).toBe(true);
        expect([name, description]).not.toEqual([name, '']);
        expect(shown).toContain(description);
      }
    },
  );

  it('leave out only what sets or removes a cookie', () => {
    const left = operationList.filter((operation) => !isCommand(operation));
    expect(left.every(({ setsCookie }) => setsCookie)).toBe(true);
    expect(left.length).toBeLessThan(10);
  });
});

it('help takes the words of a command', async () => {
  const [short, long] = await Promise.all([
    run({}, 'help', 'decisions', 'list'),
    run({}, 'decisions', 'list', '--help'),
  ]);
  expect(short).toEqual(long);
  expect(short.text).toContain('--updated-from <time>');
  expect(short.text.replaceAll(/\s+/g, ' ')).toContain(
    '(choices: "proposed", "accepted", "rejected", "archived")',
  );
  const words = ['decisions', '--json', 'list', '--output', '--'];
  expect(await run({}, 'help', ...words)).toEqual(long);
  expect(await run({}, 'help', 'backup', '/dev/null/x')).toEqual(await run({}, 'backup', '--help'));
  for (const words of [['decisons'], ['decisions', 'lst'], ['decisions', 'lst', 'more', 'list']]) {
    const { code, errors } = await run({}, 'help', ...words);
    const text = errors.join('\n');
    expect([code, text]).toEqual([2, expect.stringMatching(/unknown command '.*'\n\(Did you mean \w+\?\)/)]);
  }
});

it('a final command asks a person, and stops without a yes', async () => {
  const typing = (answer: string) =>
    Object.assign(
      (async function* () {
        yield answer;
      })(),
      { isTTY: true },
    );
  const env = { WAYMARK_URL: 'http://127.0.0.1:3', WAYMARK_API_KEY: mintApiKey() };
  const deletion = ['workspaces', 'delete', newId()];
  const no = await runWith({ env, input: typing('\n') }, ...deletion);
  expect(no).toMatchObject({
    code: 130,
    errors: [expect.stringContaining('[y/N]'), expect.stringContaining('--yes')],
  });
  const yes = await runWith({ env, input: typing('y\n') }, ...deletion);
  expect(yes).toMatchObject({
    code: 7,
    errors: [expect.stringContaining('[y/N]'), expect.stringContaining('refused')],
  });
  const said = await runWith({ env, input: typing('') }, ...deletion, '--yes');
  expect(said).toMatchObject({ code: 7, errors: [expect.stringContaining('refused')] });
  const program = await runWith({ env }, ...deletion);
  expect(program).toMatchObject({ code: 7, errors: [expect.stringContaining('refused')] });
});

it('an older Node.js gets one line', () => {
  const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.0'})";
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--no-warnings', '--import', older, main, '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: 'waymark needs Node.js 24 or newer: this is 20.20.0\n',
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await run({}, 'complete', '--', ...words)).out.map((line) => line.split('\t')[0]);

  it('names commands, flags and choices', async () => {
    expect(await complete('deci')).toEqual(['decisions']);
    expect(await complete('decisions', 'cre')).toEqual([
      'create',
      'create-approval',
      'create-review',
      'create-calendar-feed',
    ]);
    expect(await complete('decisions', 'list', '--so')).toEqual(['--sort']);
    expect(await complete('decisions', 'create', '--status', 'a')).toEqual(['accepted']);
    expect(await complete('trigger', 'decision.c')).toEqual(['decision.created']);
    expect(await complete('listen', '--events', 'decision.c')).toEqual(['decision.created']);
    expect(await complete('backup', '--ver')).toEqual(['--verify']);
    expect(await complete('decisions', 'create', '--title', 'x')).toEqual([]);
    expect(await complete('decisions', 'list', '--status', 'a')).toEqual(['accepted', 'archived']);
    expect(await complete('decisions', 'list', '--status', 'proposed,a')).toEqual([
      'proposed,accepted',
      'proposed,archived',
    ]);
  });

  it('names the profiles', async () => {
    const XDG_CONFIG_HOME = testFolder();
    const stored = {
      url: 'http://localhost:8080/v1',
      key: mintApiKey(),
      workspaceId: newId(),
      keyName: 'x',
    };
    await writeProfiles({ current: 'work', profiles: { home: stored, work: stored } }, { XDG_CONFIG_HOME });
    for (const words of [
      ['profiles', 'use', 'w'],
      ['decisions', 'list', '--profile', 'w'],
    ]) {
      const { out } = await run({ XDG_CONFIG_HOME }, 'complete', '--', ...words);
      expect(out).toEqual(['work\thttp://localhost:8080/v1']);
    }
  });

  it('has the shell make the tab of the expression for sed, which macOS does not', async () => {
    expect((await run({}, 'completion', 'zsh')).out.join('\n')).toContain(String.raw`-e $'s/\t/:/'`);
  });
});
