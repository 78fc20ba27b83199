import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = join(import.meta.dirname, '../../../apps/console/src');
const CHANGE = /\bapi\.(post|put|patch|delete)\(\s*'([^']+)'/g;
const FUNCTION = /^(?:export )?(?:default )?(?:async )?function (\w+)/gm;

const isHook = (name: string | undefined) => name !== undefined && /^use[A-Z]/.test(name);

/**
 * Finds what sends requests on behalf of the user: `file name` of each mutation, where a hook that returns
 * one stands for its callers, and `METHOD path` of each change of the API.
 */
export function controlsInCode(): { controls: string[]; changes: string[] } {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .filter((file) => !file.includes('.test.'))
    .map((file) => ({ file, text: readFileSync(join(SOURCES, file), 'utf8') }));
  const functionAt = (text: string, at: number) => [...text.slice(0, at).matchAll(FUNCTION)].at(-1)?.[1];
  const controls = new Set<string>();
  const changes = new Set<string>();
  const hooks = new Set(['useMutation']);
  for (const { text } of files) {
    for (const { index, 1: method, 2: path } of text.matchAll(CHANGE)) {
      changes.add(`${method!.toUpperCase()} ${path}`);
      const name = functionAt(text, index);
      if (isHook(name) && !text.includes('useMutation(')) hooks.add(name!);
    }
  }
  for (const hook of hooks) {
    for (const { file, text } of files) {
      for (const { index, 1: name } of text.matchAll(
        new RegExp(`(?<!function )\\b(?:(\\w+|\\{.*\\}) = )?${hook}\\(`, 'g'),
      )) {
        const caller = functionAt(text, index);
        if (isHook(caller)) hooks.add(caller!);
        else controls.add(`${file} ${name ?? hook}`);
      }
    }
  }
  return { controls: [...controls].sort(), changes: [...changes].sort() };
}

/**
 * Returns the code that depends on which error a control gets: its own file and those that it imports, or ''.
 * What all controls share, in `api` and `ui`, has tests of its own. The canvas and the board queue changes.
 */
export function codeThatTellsErrorsApart(control: string): string {
  const [file = ''] = control.split(' ');
  const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8');
  const filesOf = (path: string) => {
    const imported = [...read(path).matchAll(/ from '(\.[^']+)'/g)].map(([, to]) => join(dirname(path), to!));
    return [path, ...imported.filter((each) => !/^(api|ui)\//.test(each))];
  };
  const queue = file === 'canvas:' || file === 'board:' ? filesOf('workflows/use-graph-store.ts') : [];
  const files = file.endsWith('.tsx') ? filesOf(file) : queue;
  return files
    .map(read)
    .filter((text) => /\b(WaymarkError|hasCode|TypeError)\b|\btitles=/.test(text))
    .join('\n');
}
