import { BASE_PATH } from '@waymark/contracts';
import { html } from './html.ts';
import { documentOf } from './layout.ts';

/** The panel renders openapi.json; with this `configuration` it sends no request to any other host. */
export function tryPage(): string {
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
<script src="/docs/reference.js"></script>`,
  );
}
