import { BASE_PATH, type ErrorCode, errorDocsPath, errors, reasonsOf } from '@waymark/contracts';

export const REFERENCE_PATH = '/docs';
export const STYLE_PATH = '/docs/docs.css';
export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character]!);

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

function page(title: string, body: string): string {
  return documentOf(
    title,
    `<link rel="stylesheet" href="${STYLE_PATH}">`,
    `<nav><a href="/docs">API reference</a> <a href="/docs/errors">Errors</a> <a href="/">Console</a></nav>
<main>
${body}
</main>`,
  );
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

/** The reference renders openapi.json; with this `configuration` it sends no request to any other host. */
function referencePage(): string {
  const configuration = {
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return documentOf(
    'API reference',
    '',
    `<noscript>The reference needs JavaScript; the description itself is at <a href="${BASE_PATH}/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-url="${BASE_PATH}/openapi.json" data-configuration="${html(JSON.stringify(configuration))}"></script>
<script src="${REFERENCE_SCRIPT_PATH}"></script>`,
  );
}

const STYLE = `:root { color-scheme: light dark; --text: light-dark(#1b1f24, #e6e8eb); --dim: light-dark(#57606a, #a2abb5);
  --back: light-dark(#fff, #15181c); --line: light-dark(#d8dee4, #363c44); --link: light-dark(#0b57d0, #8ab4f8); }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; gap: 1.5rem; padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); }
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0; } h2 + p { margin-top: .4rem; }
.status, .note { color: var(--dim); } .note { margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0;
  border-bottom: 1px solid var(--line); }
@media (max-width: 40rem) { td:last-child, th:last-child { display: none; } }
`;

/** The pages about the API by their paths, generated from the tables that define the API. */
export function docsPages(): Map<string, string> {
  return new Map([
    [REFERENCE_PATH, referencePage()],
    ['/docs/errors', errorIndex()],
    ...codes.map((code) => [errorDocsPath(code), errorPage(code)] as const),
    [STYLE_PATH, STYLE],
  ]);
}
