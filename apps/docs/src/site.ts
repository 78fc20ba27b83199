import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { changelog, errorDocsPath } from '@waymark/contracts';
import { errorCodes, errorPage, errorTable } from './errors.ts';
import { codeBlock, literal, titleOf } from './markdown.ts';
import { reference } from './reference.ts';
import { withAddress, withSiteLinks } from './site-links.ts';
import { sources } from './site-map.ts';

export interface Page {
  path: string;
  title: string;
  section: string;
  /** Whether the navigation lists it. */
  isListed: boolean;
  /** The text in Markdown, with the links of the site. */
  markdown: string;
  /** Anchors of headings that differ from their text. */
  anchors?: ReadonlyMap<string, string>;
}

export interface Site {
  /** The pages by address, in reading order. */
  pages: ReadonlyMap<string, Page>;
}

/** The programs of a page, in its folder, for readers without the repository. */
const PROGRAMS: Record<string, readonly string[]> = {
  '/docs/receivers': ['typescript/receiver.ts', 'python/receiver.py', 'go/main.go', 'go/verify.go'],
  '/docs/mirrors': ['typescript/mirror.ts', 'python/mirror.py'],
};

/** The files for users. */
const GUIDES = /^(?:docs\/guide\/|docs\/mcp\.md|sdks\/|libs\/client\/|apps\/cli\/)/;

/** Reads the Markdown of the site from the repository at `root`, and generates the rest. */
export function createSite(root: string): Site {
  const paths = new Map(
    Object.values(sources).flatMap((files) => Object.entries(files).map(([path, file]) => [file, path])),
  );
  const addressOf = (file: string) => paths.get(file);

  function fromFile(section: string, path: string, file: string): Page {
    const linked = withSiteLinks(readFileSync(join(root, file), 'utf8'), file, addressOf);
    const text = GUIDES.test(file) ? withAddress(linked) : linked;
    const programs = (PROGRAMS[path] ?? []).map((name) => programIn(join(root, dirname(file), name)));
    const table = path === '/docs/errors' ? [`${errorTable()}\n`] : [];
    const markdown = [text, ...table, ...programs].join('\n');
    return { path, section, title: titleOf(markdown), isListed: true, markdown };
  }

  const filesOf = (section: string) =>
    Object.entries(sources[section]!).map(([path, file]) => fromFile(section, path, file));
  const codes = errorCodes.map(
    (code): Page => ({
      ...{ path: errorDocsPath(code), section: 'Errors', title: code, isListed: false },
      markdown: errorPage(code),
    }),
  );
  const changes: Page = {
    ...{ path: '/docs/api-changelog', section: 'Changes', title: 'API changelog', isListed: true },
    markdown: apiChangelog(),
  };
  const all = [
    ...filesOf('Start'),
    ...filesOf('Guides'),
    ...referencePages(),
    ...filesOf('Operate'),
    changes,
    ...filesOf('Changes'),
    ...codes,
  ];
  return { pages: new Map(all.map((page) => [page.path, page])) };
}

/** A program as a section. Node needs to know that a file of TypeScript is a module. */
function programIn(file: string): string {
  const name = basename(file).replace(/\.ts$/, '.mts');
  const language = extname(file).slice(1).replace('py', 'python');
  return `## ${name}\n\n${codeBlock(language, readFileSync(file, 'utf8').trimEnd())}\n`;
}

function referencePages(): Page[] {
  const { index, methods, resources } = reference();
  const common = { section: 'Reference', isListed: true };
  return [
    { ...common, path: '/docs/reference', title: 'All operations', markdown: index },
    { ...common, path: '/docs/sdks/methods', title: 'Methods of the SDKs', markdown: methods },
    ...resources.map((resource) => ({ ...common, ...resource })),
  ];
}

/** The changes of the API, as Markdown. */
function apiChangelog(): string {
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
