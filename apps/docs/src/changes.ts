import { changelog } from '@waymark/contracts';
import { literal } from './markdown.ts';

/** The changes of the API, as Markdown. */
export function apiChangelog(): string {
  const byDate = Map.groupBy(changelog.entries, ({ date }) => date);
  const days = [...byDate].map(([date, entries]) => {
    const byKind = Map.groupBy(entries, ({ kind }) => kind);
    const kinds = [...byKind].map(
      ([kind, ofKind]) => `**${kind}**\n\n${ofKind.map(({ text }) => `- ${literal(text)}`).join('\n')}`,
    );
    return `## ${date}\n\n${kinds.join('\n\n')}`;
  });
  const introduction =
    'What changed in the public interface, newest first. Programs read it at `GET /v1/changelog`.';
  return ['# API changelog', introduction, ...days].join('\n\n');
}
