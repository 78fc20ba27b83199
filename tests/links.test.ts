import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

const root = findRepositoryRoot();
const BUILT = ['node_modules', 'dist', '.git', '.waymark', '.turbo'];

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return BUILT.includes(entry.name) ? [] : pagesIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const pages = pagesIn(root).map((path) => relative(root, path));
/** Without fenced code, in which brackets mean something else. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function anchorsIn(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
}

/** Links of a page that lead to nothing in the repository. */
function deadLinksIn(page: string): string[] {
  const links = [...textOf(join(root, page)).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const local = links.map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link));
  return local.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const path = file === '' ? join(root, page) : resolve(root, dirname(page), decodeURI(file));
    if (!existsSync(path)) return true;
    return anchor !== undefined && statSync(path).isFile() && !anchorsIn(path).includes(anchor);
  });
}

test('there are pages to look through', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md']));
});

test.each(pages)('every link in %s leads somewhere', (page) => {
  expect(deadLinksIn(page)).toEqual([]);
});

/** Scripts and files that prose names in backquotes. */
const named =
  /`(?:npm run ([\w:-]+)(?![\w:-]| -w)|((?:docs|deploy|bench|tests|libs|services|apps|dev)\/[\w./-]+\.(?:ts|tsx|mjs|md|yaml|json|sh)))[^`]*`/g;
/** Where a page's own files lie: the chart's templates, a service's sources. */
const BESIDE = ['.', 'templates'];
/** Files of other projects, and what there was before. */
const NAME_OTHERS = ['STYLE.md', 'CHANGELOG.md'];

test.each(pages.filter((page) => !NAME_OTHERS.includes(page)))(
  'every script and file that %s names is there',
  (page) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const missing = [...textOf(join(root, page)).matchAll(named)].filter(
      ([, script, path]) =>
        !(script
          ? script in scripts
          : BESIDE.some((folder) => existsSync(join(root, dirname(page), folder, path!))) ||
            existsSync(join(root, path!))),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  },
);
