/** `npm run build -w apps/docs`: writes the documentation to dist, as files that the gateway serves. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageHtml } from './layout.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { buildPackages } from './packages/build-packages.ts';
import { render } from './render.ts';
import { createSite, type Page, type Site } from './site.ts';
import { PICTURES } from './site-links.ts';
import { assets } from './site-map.ts';

/** Other addresses of pages. */
const COPIES = { '/docs/try': '/docs/reference', '/sdks': '/docs/sdks' };

/** What the gateway serves for an address without a page. */
const NOT_FOUND: Page = {
  ...{ path: '/docs/not-found', section: 'Start', title: 'Page not found', isListed: false },
  markdown:
    '# Page not found\n\nNo page has this address. Search above, or begin with the [list of all pages](/docs.md).',
};

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'apps/docs/dist');

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What the search of the site finds: the text below each heading. */
function searchEntries({ pages }: Site) {
  return [...pages.values()].flatMap(({ path, title, markdown, anchors }) =>
    render(markdown, anchors).entries.map(({ heading, id, text }) => ({
      ...{ id: id ? `${path}#${id}` : path, title, heading, text },
    })),
  );
}

rmSync(folder, { recursive: true, force: true });
const packages = buildPackages(root, join(folder, 'sdks'));
const site = createSite(root);
for (const page of [...site.pages.values(), NOT_FOUND]) {
  write(`${page.path}.html`, pageHtml(site, page, render(page.markdown, page.anchors)));
  write(`${page.path}.md`, page.markdown);
}
for (const [copy, path] of Object.entries(COPIES)) {
  cpSync(join(folder, `${path}.html`), join(folder, `${copy}.html`));
}
write('llms.txt', llmsText(site));
write('llms-full.txt', llmsFullText(site));
write('docs/search.json', JSON.stringify(searchEntries(site)));
for (const [name, file] of Object.entries(assets)) cpSync(join(root, file), join(folder, 'docs', name));
cpSync(join(root, PICTURES), join(folder, PICTURES), { recursive: true });
await packages;
