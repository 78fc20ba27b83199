import type { Command, Option } from 'commander';
import { addOperationCommands } from '../operations/add-operation-commands.ts';
import type { Terminal } from '../terminal.ts';

/** Prints what the last word may be, one in a line with its description behind a tab. */
export function complete(words: string[], program: Command, terminal: Terminal): void {
  const given = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  addOperationCommands(program, given, terminal);
  let command = program;
  for (const word of given) command = command.commands.find((each) => each.name() === word) ?? command;
  for (const [word, description] of candidatesOf(command, given.at(-1) ?? '', begun)) {
    if (word.startsWith(begun)) terminal.out(`${word}\t${description.split('\n')[0]}`);
  }
}

function candidatesOf(command: Command, before: string, begun: string): [string, string][] {
  const option = command.options.find(({ long, short }) => before === long || before === short);
  if (option && takesValue(option)) return (option.argChoices ?? []).map((choice) => [choice, '']);
  if (begun.startsWith('-')) {
    return [...command.options, { long: '--help', description: 'display help for command' }].map((each) => [
      each.long ?? '',
      each.description,
    ]);
  }
  const subcommands = command.createHelp().visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [
    ...subcommands.map((each): [string, string] => [each.name(), each.summary() || each.description()]),
    ...choices.map((choice): [string, string] => [choice, '']),
  ];
}

const takesValue = ({ required, optional }: Option) => required || optional;
