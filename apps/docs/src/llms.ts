import { summaryOf } from './markdown.ts';
import type { Page, Site } from './site.ts';
import { ADDRESS } from './site-links.ts';

const INTRODUCTION = `# Waymark

> A self-hosted, workspace-scoped REST service for work management: decisions with an explainable quality score, approvals and outcomes,
> workflow graphs, threads on decisions and nodes, an inbox for each person, search, export, signed webhooks, and a tamper-evident audit
> log.`;

/** Returns all pages that the navigation lists, as one text. */
export const llmsFullText = ({ pages }: Site): string =>
  [INTRODUCTION, ...[...pages.values()].filter(({ isListed }) => isListed).map((page) => page.markdown)].join(
    '\n\n',
  );

/** Returns the list of all pages for language models (llmstxt.org), each as Markdown. */
export function llmsText({ pages }: Site): string {
  const line = ({ path, title, markdown }: Page) => {
    const summary = summaryOf(markdown);
    return `- [${title}](${ADDRESS}${path}.md)${summary && `: ${summary}`}`;
  };
  const bySection = Map.groupBy(pages.values(), ({ section, isListed }) => (isListed ? section : 'Optional'));
  const sections = [...bySection].map(
    ([section, listed]) => `## ${section}\n\n${listed.map(line).join('\n')}`,
  );
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}
