import { BASE_PATH, type ErrorCode, errorDocsPath, errors, reasonsOf } from '@waymark/contracts';
import { html } from './html.ts';
import { referenceBody } from './reference.ts';

export const TRY_PATH = '/docs/try';
export const STYLE_PATH = '/docs/docs.css';
export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';

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

const HEAD = `<link rel="stylesheet" href="${STYLE_PATH}">`;
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

/** In the colours of the console. */
const STYLE = `:root { color-scheme: light dark; --text: light-dark(#000, #c9c9c9); --dim: light-dark(#495057, #b8b8b8);
  --back: light-dark(#fff, #242424); --line: light-dark(#dee2e6, #424242); --link: light-dark(#364fc7, #91a7ff);
  --soft: light-dark(#f1f3f5, #2e2e2e); }
html { scroll-padding-block-start: 72px; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center;
  min-height: 56px; padding: 0 1rem; border-bottom: 1px solid var(--line); background: var(--back); }
.home { display: flex; gap: .5rem; align-items: center; color: inherit; font-weight: 700; text-decoration: none; }
header nav { display: flex; flex-wrap: wrap; gap: 1rem; }
header a { line-height: 28px; }
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
h3 span, .status, .note, .errors { color: var(--dim); font-weight: 400; } .note { margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0;
  border-bottom: 1px solid var(--line); }
.reference { display: grid; grid-template-columns: 220px minmax(0, 1fr); }
.reference main { width: min(56rem, 100%); max-width: none; margin: 0; box-sizing: border-box; }
aside { border-right: 1px solid var(--line); }
aside nav { position: sticky; top: 57px; max-height: calc(100vh - 57px); overflow-y: auto; }
aside ul { list-style: none; margin: 0; padding: .75rem; } aside a { display: block; padding: .35rem .75rem; color: inherit; text-decoration: none; }
aside a:hover { background: var(--soft); border-radius: 8px; }
details { border: 1px solid var(--line); border-radius: 8px; margin-bottom: .5rem; padding: 0 1rem; font-size: .9rem; }
summary { cursor: pointer; padding: .6rem 0; } summary span { color: var(--dim); }
.method { display: inline-block; min-width: 4rem; font-weight: 700; }
pre { overflow: auto; max-height: 24rem; padding: .75rem; border-radius: 8px; background: var(--soft); }
.wide { overflow-x: auto; } .wide table { min-width: 30rem; } .wide td { overflow-wrap: break-word; }
.errors a { display: inline-block; line-height: 24px; }
@media (max-width: 48em) { .reference { display: block; } aside { border: 0; border-bottom: 1px solid var(--line); }
  aside nav { position: static; max-height: none; } aside ul { columns: 2; } main { padding: 1rem 1rem 4rem; } }
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
