import { BASE_PATH } from '@waymark/contracts';
import { JSON_TYPE, sendFile } from '../http/respond.ts';
import type { PageServer } from '../middleware/pages.ts';
import { authorizationServer } from './authorization-server.ts';

const DAY_MS = 86_400_000;
/** The validity of security.txt; RFC 9116 recommends less than a year. */
const SECURITY_DAYS = 180;
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Serves the catalog of the API (RFC 9727), the metadata of the authorization server and, if configured, the
 * contact for vulnerabilities (RFC 9116).
 */
export function serveWellKnown(options: {
  publicUrl: string;
  securityContact: string | undefined;
  registration: boolean;
  now: () => number;
}): PageServer {
  const { publicUrl, securityContact, registration, now } = options;
  const metadata = Object.entries(authorizationServer(publicUrl, registration));
  const at = (path: string, type: string) => [{ href: publicUrl + path, type }];
  const catalog = {
    linkset: [
      {
        anchor: publicUrl + BASE_PATH,
        'service-desc': at(`${BASE_PATH}/openapi.json`, 'application/json'),
        'service-doc': at('/docs/reference', 'text/html'),
        'service-meta': at(`${BASE_PATH}/changelog`, 'application/json'),
        status: at('/readyz', 'text/plain'),
      },
    ],
  };
  const security = () => {
    const expires = new Date(now() + SECURITY_DAYS * DAY_MS).toISOString();
    const canonical = `${publicUrl}/.well-known/security.txt`;
    return `Contact: ${securityContact}\nExpires: ${expires}\nCanonical: ${canonical}\n`;
  };
  const files: Record<string, { type: string; text: () => string; headers?: string[] }> = {
    '/.well-known/api-catalog': {
      type: CATALOG_TYPE,
      text: () => JSON.stringify(catalog),
      headers: ['Link', `<${publicUrl}/.well-known/api-catalog>; rel="api-catalog"`],
    },
    ...Object.fromEntries(
      metadata.map(([path, value]) => [path, { type: JSON_TYPE, text: () => JSON.stringify(value) }]),
    ),
    ...(securityContact && {
      '/.well-known/security.txt': { type: 'text/plain; charset=utf-8', text: security },
    }),
  };
  return async (response) => {
    const file = files[response.locals.path];
    if (!file) return false;
    const { type, headers = [] } = file;
    sendFile(response, { type, body: Buffer.from(file.text()), headers, cacheControl: 'no-cache' });
    return true;
  };
}
