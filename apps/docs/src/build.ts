/** `npm run build -w apps/docs`: writes the documentation to dist, as files that the gateway serves. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageHtml } from './layout.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { render } from './render.ts';
import { createSite, type Site } from './site.ts';
import { assets } from './site-map.ts';

/** Earlier addresses of pages. */
const MOVED = { '/docs/try': '/docs/reference' };

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
    render(markdown(), anchors?.()).entries.map(({ heading, id, text }) => ({
      ...{ id: id ? `${path}#${id}` : path, title, heading, text },
    })),
  );
}

rmSync(folder, { recursive: true, force: true });
const site = createSite(root);
for (const page of site.pages.values()) {
  write(`${page.path}.html`, pageHtml(site, page, render(page.markdown(), page.anchors?.())));
  write(`${page.path}.md`, page.markdown());
}
for (const [former, path] of Object.entries(MOVED)) {
  cpSync(join(folder, `${path}.html`), join(folder, `${former}.html`));
}
write('llms.txt', llmsText(site));
write('llms-full.txt', llmsFullText(site));
write('docs/search.json', JSON.stringify(searchEntries(site)));
for (const [name, file] of Object.entries(assets)) cpSync(join(root, file), join(folder, 'docs', name));
