import { posix } from 'node:path';

/** Guides name the address of a local installation, which readers of the repository have. */
const LOCAL = 'http://localhost:8080';
/** The folder of pictures, which the site has at the same address. */
export const PICTURES = 'docs/pictures/';
/** A fenced block, in which brackets have another meaning; or a link with its text and its target. */
const FENCE_OR_LINK = /^( *)```[^\n]*\n[\s\S]*?^\1```$|\[((?:[^[\]]|\[[^\]]*\])*)\]\(<?([^)\s>]+)>?\)/gm;

/**
 * Returns Markdown of a file of the repository for readers of the site: links to files that the site has
 * lead to their pages; of other files only the path is named, because the site does not have them.
 */
export function withSiteLinks(
  markdown: string,
  file: string,
  pathOf: (file: string) => string | undefined,
): string {
  return markdown.replaceAll(FENCE_OR_LINK, (whole, _indent, text?: string, target?: string) => {
    if (text === undefined || target === undefined || target.startsWith('#')) return whole;
    if (target.startsWith(`${LOCAL}/docs`)) return `[${text}](${asMarkdown(target.slice(LOCAL.length))})`;
    if (/^[a-z]+:/.test(target)) return whole;
    const [relative = '', anchor] = target.split('#');
    const linked = posix.join(posix.dirname(file), relative);
    if (linked.startsWith(PICTURES)) return `[${text}](/${linked})`;
    const path = pathOf(linked);
    if (path) return `[${text}](${path}.md${anchor ? `#${anchor}` : ''})`;
    return text.includes(posix.basename(linked)) ? text : `${text} (\`${linked}\`)`;
  });
}

const asMarkdown = (address: string) => address.replace(/(?=#|$)/, '.md');

/** The address of a page for a browser, from that of its Markdown. */
export const asPage = (address: string): string => address.replace(/^(\/docs[^#]*)\.md(?=#|$)/, '$1');

/** The gateway replaces this word with the address of the installation. */
export const ADDRESS = '__PUBLIC_URL__';

/** Guides show the address of this installation. */
export const withAddress = (markdown: string): string => markdown.replaceAll(LOCAL, ADDRESS);
