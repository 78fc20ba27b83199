import { subscribableEventTypes } from '@waymark/contracts';
import type { Command, Option } from 'commander';
import { addDecisionsImport } from '../decision-files/add-import-command.ts';
import { addOperationCommands, SuggestingOption } from '../operations/add-operation-commands.ts';
import { readProfiles } from '../profiles/profile-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Values of `listen` and `trigger`, which load without the contract: by the name of option or argument. */
const VALUES: Record<string, readonly string[]> = {
  events: subscribableEventTypes,
  event: subscribableEventTypes,
};

/** Prints the possible last words, one in a line with its description behind a tab. */
export async function complete(words: string[], program: Command, terminal: Terminal): Promise<void> {
  const given = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  addOperationCommands(program, given, terminal);
  addDecisionsImport(program, terminal);
  let command = program;
  for (const word of given) command = command.commands.find((each) => each.name() === word) ?? command;
  const before = given.at(-1) ?? '';
  const isProfile = before === '--profile' || given.join(' ') === 'profiles use';
  const candidates = isProfile ? await profilesOf(terminal) : candidatesOf(command, before, begun);
  for (const [word, description] of candidates) {
    if (word.startsWith(begun)) terminal.out(`${word}\t${description.split('\n')[0]}`);
  }
}

/** A file of profiles that cannot be read completes nothing. */
async function profilesOf({ env }: Terminal): Promise<[string, string][]> {
  const { profiles } = await readProfiles(env).catch(() => ({ profiles: {} }));
  return Object.entries(profiles).map(([name, { url }]) => [name, url]);
}

function candidatesOf(command: Command, before: string, begun: string): [string, string][] {
  const option = command.options.find(({ long, short }) => before === long || before === short);
  if (option && takesValue(option)) {
    const listed = begun.slice(0, begun.lastIndexOf(',') + 1);
    const others = option.argChoices ?? VALUES[option.name()] ?? [];
    const suggestions = option instanceof SuggestingOption ? option.suggestions : others;
    return suggestions.map((choice) => [listed + choice, '']);
  }
  if (begun.startsWith('-')) {
    return [...command.options, { long: '--help', description: 'display help for command' }].map((each) => [
      each.long ?? '',
      each.description,
    ]);
  }
  const subcommands = command.createHelp().visibleCommands(command);
  const choices = command.registeredArguments.flatMap(
    (argument) => argument.argChoices ?? VALUES[argument.name()] ?? [],
  );
  return [
    ...subcommands.map((each): [string, string] => [each.name(), each.summary() || each.description()]),
    ...choices.map((choice): [string, string] => [choice, '']),
  ];
}

const takesValue = ({ required, optional }: Option) => required || optional;
