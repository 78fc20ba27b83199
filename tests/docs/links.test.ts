import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { anchorOf } from '../../apps/docs/src/render.ts';

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
/** The text of a page without fenced code, in which brackets have another meaning. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

function anchorsIn(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
}

/** Returns the links of a page whose target does not exist in the repository. */
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

test('finds pages to check', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md']));
});

test('the list of decisions has each record with its title, and names what replaced it', () => {
  const folder = join(root, 'docs/decisions');
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const file of readdirSync(folder).filter((name) => name !== 'README.md')) {
    const text = readFileSync(join(folder, file), 'utf8');
    const [, number, title] = /^# (\d+)\. (.*)$/m.exec(text)!;
    const [, successor] = /^Superseded by \[decision (\d+)\]/m.exec(text) ?? [];
    const status = successor ? `superseded by ${successor}` : 'accepted';
    expect(list).toContain(`| ${number} | [${title}](${file}) | ${status} | `);
  }
});

test.each(pages)('every link in %s has a target', (page) => {
  expect(deadLinksIn(page)).toEqual([]);
});

/** Scripts and files whose names appear in backquotes. */
const named =
  /`(?:npm run ([\w:-]+)(?![\w:-]| -w)|((?:docs|deploy|bench|tests|libs|services|apps|dev)\/[\w./-]+\.(?:ts|tsx|mjs|md|yaml|json|sh)))[^`]*`/g;
/** Folders with a page's own files: the templates of the chart, the sources of a service. */
const BESIDE = ['.', 'templates'];
/** These pages name files of other projects and files of the past; a result names the command of its day. */
const NAME_OTHERS = ['STYLE.md', 'CHANGELOG.md', 'bench/results/'];

test.each(pages.filter((page) => !NAME_OTHERS.some((name) => page.startsWith(name))))(
  'every script and file that %s names exists',
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
