const wordsOf = (name: string) => name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);

/** Joins names in any spelling: `listDecisions`, `next_page` is `ListDecisionsNextPage`. */
export function pascalCase(...names: string[]): string {
  return names
    .flatMap(wordsOf)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

export function snakeCase(name: string): string {
  return wordsOf(name).join('_').toLowerCase();
}

/** Joins words with hyphens: `export-csv` is `exportCsv`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
