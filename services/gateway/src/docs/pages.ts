import { BASE_PATH, type ErrorCode, errorDocsPath, errors, reasonsOf } from '@waymark/contracts';
import { html } from './html.ts';
import { referenceBody } from './reference.ts';

export const TRY_PATH = '/docs/try';
export const STYLE_PATH = '/docs/docs.css';
export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';
/** A file of the console; without the console, the page has the font of the system. */
const FONT_PATH = '/assets/inter-7a7b462d.woff2';

function documentOf(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} – Waymark</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

const HEAD = `<link rel="icon" href="/waymark.svg" type="image/svg+xml">
<link rel="preload" href="${FONT_PATH}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${STYLE_PATH}">`;
const SHELL = `<header><a class="home" href="/"><img src="/waymark.svg" alt="" width="24" height="24"> Waymark</a>
<nav aria-label="Documentation"><a href="/docs">API reference</a> <a href="/docs/errors">Errors</a> <a href="/">Console</a></nav></header>
`;

function page(title: string, body: string): string {
  return documentOf(title, HEAD, `${SHELL}<main>\n${body}\n</main>`);
}

const codes = Object.keys(errors) as ErrorCode[];

function errorPage(code: ErrorCode): string {
  const { status, message, why, fix } = errors[code];
  return page(
    code,
    `<h1>${code}</h1>
<p class="status">HTTP status ${status}</p>
<h2>What it means</h2>
<p>${html(message)}</p>
<h2>Why it occurs</h2>
<p>${html(why)}</p>
<h2>What to do</h2>
<p>${html(fix)}</p>
${reasonsTable(code)}<p class="note">Every error carries a requestId, also in the X-Request-Id header: quote it when you ask for help.</p>`,
  );
}

function reasonsTable(code: ErrorCode): string {
  const rows = reasonsOf(code).map(
    ([reason, meaning]) => `<tr><td><code>${reason}</code></td><td>${html(meaning)}</td></tr>`,
  );
  if (rows.length === 0) return '';
  return `<h2>Reasons</h2>
<table>
<thead><tr><th scope="col"><code>reason</code></th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
`;
}

function errorIndex(): string {
  const rows = codes.map((code) => {
    const { status, message } = errors[code];
    const link = `<a href="${errorDocsPath(code)}">${code}</a>`;
    return `<tr><td>${status}</td><td>${link}</td><td>${html(message)}</td></tr>`;
  });
  return page(
    'Errors',
    `<h1>Errors</h1>
<p>Every error is JSON with a code in <code>error</code> that never changes its meaning, and a path in <code>docs</code> that leads here.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`,
  );
}

/** The panel renders openapi.json; with this `configuration` it sends no request to any other host. */
function tryPage(): string {
  const configuration = {
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return documentOf(
    'Try requests',
    '',
    `<noscript>The reference needs JavaScript; the description itself is at <a href="${BASE_PATH}/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-url="${BASE_PATH}/openapi.json" data-configuration="${html(JSON.stringify(configuration))}"></script>
<script src="${REFERENCE_SCRIPT_PATH}"></script>`,
  );
}

/** In the look of the console: apps/console/src/app/tokens.ts. */
const STYLE = `@font-face { font-family: Inter; src: url("${FONT_PATH}") format("woff2"); font-weight: 400 700; font-display: optional; }
:root { color-scheme: light dark; --text: light-dark(#1b1d25, #e6e7ec); --dim: light-dark(#555a68, #b2b5c0);
  --back: light-dark(#fff, #17191e); --frame: light-dark(#f7f7f9, #0f1014); --line: light-dark(#e1e3e9, #33363f);
  --link: light-dark(#3d45cf, #a6b2ff); --soft: light-dark(#f1f2f5, #272a32); }
html { scroll-padding-block-start: 68px; }
body { margin: 0; background: var(--frame); color: var(--text); font: .9375rem/1.55 Inter, system-ui, sans-serif;
  -webkit-font-smoothing: antialiased; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center;
  min-height: 52px; padding: 0 1rem; background: var(--frame); font-size: .8125rem; }
.home { display: flex; gap: .5rem; align-items: center; color: inherit; font-size: .9375rem; font-weight: 600; text-decoration: none; }
header nav { display: flex; flex-wrap: wrap; gap: 1rem; }
header nav a { color: var(--dim); font-weight: 500; text-decoration: none; } header nav a:hover { color: var(--text); }
header a { line-height: 28px; }
main { max-width: 46rem; margin: 0 auto .5rem; padding: 1.5rem 2rem 4rem; overflow-wrap: anywhere; border: 1px solid var(--line);
  border-radius: 12px; background: var(--back); }
a { color: var(--link); }
h1, h2 { letter-spacing: -.015em; line-height: 1.25; } h1 { font-size: 1.5rem; } h2 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
h1, h2, h3, .method { font-weight: 600; } h3 { font-size: .8125rem; margin: 1rem 0 .25rem; }
h3 span, .status, .note, .errors { color: var(--dim); font-weight: 400; } .note { margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .8125rem; } th, td { text-align: left; vertical-align: top;
  padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); } th { color: var(--dim); font-size: .75rem; font-weight: 500; }
.reference { display: grid; grid-template-columns: 224px minmax(0, 1fr); }
.reference main { max-width: none; margin: 0 .5rem .5rem 0; } .reference main > * { max-width: 56rem; }
aside nav { position: sticky; top: 52px; max-height: calc(100vh - 52px); overflow-y: auto; font-size: .8125rem; font-weight: 500; }
aside ul { list-style: none; margin: 0; padding: .25rem .75rem; } aside a { display: block; padding: .25rem .75rem; color: inherit; text-decoration: none; }
aside a:hover { background: var(--soft); border-radius: 6px; }
details { border: 1px solid var(--line); border-radius: 8px; margin-bottom: .5rem; padding: 0 1rem; font-size: .8125rem; }
summary { cursor: pointer; padding: .6rem 0; } summary span { color: var(--dim); }
.method { display: inline-block; min-width: 4rem; }
pre { overflow: auto; max-height: 24rem; padding: .75rem; border-radius: 8px; background: var(--soft); }
.wide { overflow-x: auto; } .wide table { min-width: 30rem; } .wide td { overflow-wrap: break-word; }
.errors a { display: inline-block; line-height: 24px; }
@media (max-width: 48em) { .reference { display: block; } aside nav { position: static; max-height: none; } aside ul { columns: 2; }
  main, .reference main { margin: 0; padding: 1rem 1rem 4rem; border-width: 1px 0 0; border-radius: 0; } }
`;

/** The pages about the API by their paths, generated from the tables that define the API. */
export function docsPages(): Map<string, string> {
  return new Map([
    ['/docs', documentOf('API reference', HEAD, SHELL + referenceBody())],
    [TRY_PATH, tryPage()],
    ['/docs/errors', errorIndex()],
    ...codes.map((code) => [errorDocsPath(code), errorPage(code)] as const),
    [STYLE_PATH, STYLE],
  ]);
}
