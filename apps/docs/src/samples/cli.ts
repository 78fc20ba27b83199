import { operationList } from '@waymark/contracts';
import { type Parameter, parametersOf } from '../../../cli/src/operations/parameters.ts';
import { DOCUMENT, type SampleCall } from './sample-call.ts';

/** Writes a call with the command line, which lacks the operations that set a cookie. */
export function cliSample(call: SampleCall): string | null {
  const { operation, names, values, body, answerType } = call;
  if (names.command === null) return null;
  const words = parametersOf(operationList.find(({ id }) => id === operation.id)!).flatMap((parameter) => {
    const value = parameter.place === 'body' ? body?.[parameter.name] : values[parameter.name];
    if (value === undefined) return [];
    return parameter.place === 'body' ? flagsOf(parameter, value) : [quoted(String(value))];
  });
  return [
    names.command,
    ...words,
    ...(operation.upload ? [`--body @${DOCUMENT}`] : []),
    ...(answerType === 'application/zip' ? ['--output answer.zip'] : []),
  ].join(words.length > 2 ? ' \\\n  ' : ' ');
}

function flagsOf({ flag, kind }: Parameter, value: unknown): string[] {
  if (kind === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
  if (kind === 'texts') return (value as string[]).map((each) => `--${flag} ${quoted(each)}`);
  const isText = kind !== 'json' && typeof value !== 'object';
  return [`--${flag} ${quoted(isText ? String(value) : JSON.stringify(value))}`];
}

/** A word of the shell. */
const quoted = (text: string) => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
