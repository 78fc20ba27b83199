import { type Operation, operationList } from '@waymark/contracts';
import { Argument, type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { commandNameOf, isCommand } from './command-name.ts';
import { hasPages, type Parameter, parametersOf, takesIdempotencyKey, takesWorkspace } from './parameters.ts';
import { isFinal, type OperationOptions, runOperation } from './run-operation.ts';

/** An option whose values completion knows, though it takes others too. */
export class SuggestingOption extends Option {
  suggestions: readonly string[] = [];
}

/** Adds a command for each operation of the table. Only the one that `args` names gets its flags. */
export function addOperationCommands(program: Command, args: string[], terminal: Terminal): void {
  program.commandsGroup('Commands for each operation of the API:');
  for (const operation of operationList.filter(isCommand)) {
    const { group, verb } = commandNameOf(operation);
    const parent = subcommand(program, group);
    const command = verb === undefined ? parent : parent.command(verb);
    if (verb !== undefined || !parent.description()) command.description(operation.summary);
    const isNamed = args[0] === group && (verb === undefined || args[1] === verb);
    if (isNamed) addFlags(command, operation, terminal);
  }
  for (const group of program.commands.filter((command) => !command.description())) {
    group.description(group.commands.map((command) => command.name()).join(', '));
  }
}

function subcommand(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name);
}

function addFlags(command: Command, operation: Operation, terminal: Terminal): void {
  const parameters = parametersOf(operation);
  const isArgument = ({ place, isRequired }: Parameter) =>
    place === 'path' || (place === 'query' && isRequired);
  const positional = parameters.filter(isArgument);
  const flags = parameters.filter((parameter) => !isArgument(parameter));
  for (const parameter of positional) command.addArgument(argumentOf(parameter));
  for (const option of flags.flatMap(optionsOf)) command.addOption(option);
  if (takesWorkspace(operation))
    command.option('--workspace <id>', 'another workspace than that of the profile');
  if (operation.body || operation.bodyContentTypes) {
    command.option(
      '--body <JSON|@file|->',
      'the whole body, from a file or from standard input; flags add to it',
    );
  }
  if (hasPages(operation)) command.option('--all', 'read all pages');
  if (takesIdempotencyKey(operation)) {
    command.option('--idempotency-key <key>', 'repeats with one key change something once, within 24 hours');
  }
  if (operation.versioned && operation.method !== 'GET' && operation.method !== 'POST') {
    command.option('--if-match <etag>', 'change only this version');
  }
  if (operation.response.contentType) {
    command.option('--output <file>', 'write into a file, which is complete or not there');
  } else {
    command.option('--json', 'print the answer as JSON');
    if (operation.response.schema)
      command.addOption(new Option('--output <form>', 'print only the ids').choices(['id']));
  }
  if (isFinal(operation)) command.option('--yes', 'do not ask');
  command.option('--profile <name>', 'use another profile');
  command.option('--debug', 'show the exchange with the server, without bodies and credentials');
  command.summary(operation.summary).description(describe(operation));
  command.action((...given: unknown[]) => {
    const values = given.slice(0, positional.length) as string[];
    const options = command.opts() as OperationOptions;
    return runOperation(operation, { positional, values, flags, options }, terminal);
  });
}

function describe({ summary, description, method, path }: Operation): string {
  return [`${summary}.`, description, `Calls ${method} ${path}.`].filter(Boolean).join(' ');
}

function argumentOf({ name, description, choices }: Parameter): Argument {
  const argument = new Argument(`<${name}>`, description);
  return choices.length > 0 ? argument.choices(choices) : argument;
}

/** Returns the flag of a parameter, and for a boolean also its negation. */
function optionsOf(parameter: Parameter): Option[] {
  const { flag, kind, format, description, isNullable, isRequired } = parameter;
  const { place, choices, suggestions, isDeprecated } = parameter;
  const notes = [
    description,
    kind === 'texts' && 'repeat it for each entry',
    isNullable && 'null for none',
    isRequired && place === 'body' && 'required',
  ];
  const listed = kind === 'texts' && suggestions.length > 0;
  const values = listed ? ` (choices: ${suggestions.map((each) => JSON.stringify(each)).join(', ')})` : '';
  const text = notes.filter(Boolean).join('; ') + values;
  if (kind === 'boolean') return [new Option(`--${flag}`, text), new Option(`--no-${flag}`)];
  const value = { text: format ?? 'text', number: 'number', texts: 'text', json: 'JSON' }[kind];
  const option = new SuggestingOption(`--${flag} <${value}>`, text);
  option.suggestions = suggestions;
  if (isDeprecated) option.hideHelp();
  if (kind === 'texts') option.argParser((one: string, others: string[] = []) => [...others, one]);
  if (choices.length > 0) option.choices(isNullable ? [...choices, 'null'] : choices);
  return [option];
}
