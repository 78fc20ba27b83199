import { html } from './html.ts';
import { summaryOf } from './markdown.ts';
import type { Heading, Rendered } from './render.ts';
import type { Page, Site } from './site.ts';

/** A file of the console; without the console, the page has the font of the system. */
const FONT_PATH = '/assets/inter-7a7b462d.woff2';
/** Pages with fewer headings need no list of them. */
const CONTENTS_FROM = 3;

const HEADER = `<a class="skip" href="#docs-content">Skip to the content</a>
<header>
<a class="home" href="/docs"><img src="/waymark.svg" alt="" width="24" height="24"> Waymark docs</a>
<button class="menu" popovertarget="docs-pages">Menu</button>
<form role="search">
<input type="search" id="docs-search" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/" aria-controls="docs-results" autocomplete="off" spellcheck="false">
<p class="hidden" id="docs-found" role="status"></p>
<ul class="results" id="docs-results" hidden></ul>
</form>
<a href="/">Console</a>
</header>`;

/** A page in the frame of the site. */
export function pageHtml(site: Site, page: Page, { body, headings }: Rendered): string {
  const markdown = `${page.path}.md`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(page.title)} – Waymark</title>
<link rel="icon" href="/waymark.svg" type="image/svg+xml">
<meta name="description" content="${html(summaryOf(page.markdown))}">
<link rel="preload" href="${FONT_PATH}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/docs.css">
<link rel="alternate" href="${markdown}" type="text/markdown" title="This page as Markdown">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
${HEADER}
<div class="frame">
${navigation(site, page, headings)}
<main id="docs-content" tabindex="-1">
${body}
<footer>
${neighbours(site, page)}
<p><a href="${markdown}">This page as Markdown</a></p>
</footer>
</main>
${page.anchors ? '' : contents(headings)}
</div>
</body>
</html>
`;
}

/** All pages. The operations of an open page of the reference are below its name: beside it are examples. */
function navigation(site: Site, open: Page, headings: readonly Heading[]): string {
  const sections = Map.groupBy(listed(site), ({ section }) => section);
  const lists = [...sections].map(([section, pages]) => {
    const links = pages.map(({ path, title }) => {
      const current = path === open.path ? ' aria-current="page"' : '';
      const operations = current && open.anchors ? listOf(headings, ' class="operations"') : '';
      return `<li><a href="${path}"${current}>${html(title)}</a>${operations}</li>`;
    });
    const isOpen = section === open.section || section === 'Start' || section === 'Guides';
    return `<details${isOpen ? ' open' : ''}><summary>${section}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<nav class="pages" id="docs-pages" aria-label="Documentation" popover>\n${lists.join('\n')}\n</nav>`;
}

const listed = (site: Site) => [...site.pages.values()].filter(({ isListed }) => isListed);

function neighbours(site: Site, { path }: Page): string {
  const pages = listed(site);
  const index = pages.findIndex((page) => page.path === path);
  if (index < 0) return '';
  const link = (page: Page | undefined, rel: string, text: string) =>
    page
      ? `<a rel="${rel}" href="${page.path}"><span>${text}</span> ${html(page.title)}</a>`
      : '<span></span>';
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < CONTENTS_FROM) return '';
  return `<aside><nav aria-label="On this page"><h2>On this page</h2>${listOf(shown)}</nav></aside>`;
}

function listOf(headings: readonly Heading[], attributes = ''): string {
  const links = headings.map(({ id, text }) => `<li><a href="#${html(id)}">${html(text)}</a></li>`);
  return `<ul${attributes}>${links.join('')}</ul>`;
}
