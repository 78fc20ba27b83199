import { describe, expect, it } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import { commandNameOf, isCommand } from '../src/operations/command-name.ts';
import { parametersOf } from '../src/operations/parameters.ts';
import { run } from './run.ts';

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
    '%s has a flag or an argument for each value of the request',
    async (_, operation) => {
      const { code, text } = await run({}, ...wordsOf(operation), '--help');
      expect(code).toBe(0);
      for (const { name, flag } of parametersOf(operation)) {
        expect(
          text.includes(`--${flag} `) || text.includes(`<${name}>`) || text.includes(`--${flag}\n`),
        ).toBe(true);
      }
    },
  );

  it('leave out only what sets or removes a cookie', () => {
    const left = operationList.filter((operation) => !isCommand(operation));
    expect(left.every(({ setsCookie }) => setsCookie)).toBe(true);
    expect(left.length).toBeLessThan(10);
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await run({}, 'complete', '--', ...words)).out.map((line) => line.split('\t')[0]);

  it('names commands, flags and choices', async () => {
    expect(await complete('deci')).toEqual(['decisions']);
    expect(await complete('decisions', 'cre')).toEqual(['create', 'create-calendar-feed']);
    expect(await complete('decisions', 'list', '--so')).toEqual(['--sort']);
    expect(await complete('decisions', 'create', '--status', 'a')).toEqual(['accepted']);
    expect(await complete('backup', '--ver')).toEqual(['--verify']);
    expect(await complete('decisions', 'create', '--title', 'x')).toEqual([]);
  });

  it('has the shell make the tab of the expression for sed, which macOS does not', async () => {
    expect((await run({}, 'completion', 'zsh')).out.join('\n')).toContain(String.raw`-e $'s/\t/:/'`);
  });
});
