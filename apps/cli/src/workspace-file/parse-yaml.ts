import { Composer, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, Parser, visit } from 'yaml';

/** A mistake in a line of the file. */
export interface Issue {
  line: number;
  message: string;
}

/** Returns the line of a value in the file; without the value, the line of what should contain it. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/** The composer of the library recurses: a deeper file would exhaust the stack. */
const MAX_DEPTH = 50;

/** Returns the value of a YAML document, or its mistakes. */
export function parseYaml(text: string): { value: unknown; lineOf: LineOf } | { issues: Issue[] } {
  const counter = new LineCounter();
  counter.addNewLine(0);
  const lineAt = (offset: number) => counter.linePos(offset).line;
  const parser = new Parser(counter.addNewLine);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH)
      return { issues: [{ line: lineAt(parser.offset), message: 'is nested too deeply' }] };
  }
  tokens.push(...parser.end());
  // The library compares each key with each other one; `faultsOf` does not.
  const composer = new Composer({ prettyErrors: false, stringKeys: true, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  const { contents, errors, warnings } = document!;
  const found = [...errors, ...warnings].map(({ message, pos }) => ({ line: lineAt(pos[0]), message }));
  const issues = [...found, ...faultsOf(contents, lineAt)].sort((a, b) => a.line - b.line);
  if (second) issues.push({ line: lineAt(second.range[0]), message: 'begins a second document' });
  if (issues.length > 0) return { issues };
  return { value: document!.toJS(), lineOf: (path) => lineAt(offsetOf(contents, path)) };
}

/** Aliases can make a small file very large, and tags make values that JSON lacks. */
function faultsOf(contents: Node | null, lineAt: (offset: number) => number): Issue[] {
  const issues: Issue[] = [];
  const add = (node: Node, message: string) => issues.push({ line: lineAt(node.range![0]), message });
  visit(contents, {
    Alias: (_, node) => void add(node, 'has an alias (*), which a workspace file cannot have'),
    Node: (_, node) =>
      void (node.tag && add(node, `has a tag (${node.tag}), which a workspace file cannot have`)),
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (names.has(name)) add(key as Node, `repeats ${name}`);
        names.add(name);
      }
    },
  });
  return issues;
}

function offsetOf(contents: Node | null, path: readonly PropertyKey[]): number {
  let offset = contents?.range?.[0] ?? 0;
  let node: unknown = contents;
  for (const step of path) {
    const pair = isMap(node) && node.items.find(({ key }) => isScalar(key) && key.value === step);
    if (pair) {
      offset = (pair.key as Node).range![0];
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number' && node.items[step]) {
      node = node.items[step];
      offset = (node as Node).range![0];
    } else break;
  }
  return offset;
}
