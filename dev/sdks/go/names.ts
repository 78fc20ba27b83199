const INITIALISMS = new Set(['api', 'csv', 'http', 'id', 'ids', 'ip', 'ips', 'madr', 'oidc', 'url']);

/** Returns an exported name: `created_at` and `createdAt` are `CreatedAt`, `workspaceId` is `WorkspaceID`. */
export function exported(name: string): string {
  const words = name
    .replace('openapi', 'open api')
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  return words.map((word) => (INITIALISMS.has(word) ? initialism(word) : capitalized(word))).join('');
}

/** Returns the name of an argument: `workflowId` is `workflowID`. */
export function argument(name: string): string {
  const text = exported(name);
  const first = /^(?:[A-Z]+(?![a-z])|[A-Z])/.exec(text)![0];
  return first.toLowerCase() + text.slice(first.length);
}

const initialism = (word: string) => word.toUpperCase().replace(/^(ID|IP)S$/, '$1s');
const capitalized = (word: string) => word[0]!.toUpperCase() + word.slice(1);
