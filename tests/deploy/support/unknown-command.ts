import { createProgram } from '../../../apps/cli/src/program/program.ts';

type Command = Awaited<ReturnType<typeof createProgram>>;
const program = await createProgram({ env: {}, out: () => undefined, error: () => undefined }, []);

/** Returns the command that the words name, and the words after it. */
function resolve(words: readonly string[], command: Command = program): [Command, readonly string[]] {
  const next = command.commands.find((one) => one.name() === words[0]);
  return next ? resolve(words.slice(1), next) : [command, words];
}

/** What `waymark` with these words would refuse: a word that is no command, or options; null for nothing. */
export function unknownCommand(words: readonly string[]): string | null {
  const [command, rest] = resolve(words);
  const isKnown =
    command !== program && (command.registeredArguments.length > 0 || !/^\w/.test(rest[0] ?? ''));
  if (!isKnown) return words.join(' ');
  const options = command.options.map(({ long }) => long);
  return rest.find((word) => word.startsWith('--') && !options.includes(word)) ?? null;
}
