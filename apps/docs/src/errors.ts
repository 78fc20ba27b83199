import { type ErrorCode, errorDocsPath, errors, reasonsOf } from '@waymark/contracts';
import { inCell, literal, table } from './markdown.ts';

export const errorCodes = Object.keys(errors) as ErrorCode[];

/** A table of all codes, as Markdown. */
export function errorTable(): string {
  const rows = errorCodes.map((code) => [
    String(errors[code].status),
    `[${code}](${errorDocsPath(code)}.md)`,
    inCell(errors[code].message),
  ]);
  return table(['Status', 'Code', 'Meaning'], rows);
}

/** The page of a code, as Markdown. */
export function errorPage(code: ErrorCode): string {
  const { status, message, why, fix } = errors[code];
  const reasons = reasonsOf(code).map(([reason, meaning]) => [`\`${reason}\``, inCell(meaning)]);
  return [
    `# ${code}`,
    `HTTP status ${status}`,
    '## What it means',
    literal(message),
    '## Why it occurs',
    literal(why),
    '## What to do',
    literal(fix),
    ...(reasons.length > 0 ? ['## Reasons', table(['`reason`', 'Meaning'], reasons)] : []),
    'Every error carries a requestId, also in the X-Request-Id header: quote it when you ask for help.',
    '[All errors](/docs/errors.md)',
  ].join('\n\n');
}
