import { sendEarly } from './api/early.ts';
import { loadTexts } from './texts/define-texts.ts';

/** What an address needs: its scripts, and the first answer of the API. */
const PAGES: [address: RegExp, scripts: () => Promise<unknown>, api?: (...ids: string[]) => string][] = [
  [/^\/sign-in$/, () => import('./auth/sign-in-page.tsx'), () => '/v1/auth/methods'],
  [
    /^\/w\/([\w-]+)\/decisions$/,
    () => import('./decisions/list/decision-list-page.tsx'),
    (workspaceId) => `/v1/decisions?workspaceId=${workspaceId}&limit=25`,
  ],
  [
    /^\/w\/([\w-]+)\/decisions\/(?!new$)([\w-]+)$/,
    () => import('./decisions/page/decision-page.tsx'),
    (workspaceId, id) =>
      `/v1/decisions/${id}?workspaceId=${workspaceId}&include=quality%2Coutcomes%2Chistory%2Clinks`,
  ],
  [
    /^\/w\/[\w-]+\/workflows\/([\w-]+)$/,
    () => import('./workflows/workflow-page.tsx'),
    (id) => `/v1/workflows/${id}/graph`,
  ],
];

/**
 * Runs while the application is still loading, and starts what its page would start only afterwards: on a
 * slow connection, each of these costs a round trip.
 */
void loadTexts();
for (const [address, scripts, api] of PAGES) {
  const [found, ...ids] = address.exec(location.pathname) ?? [];
  if (found === undefined) continue;
  // The router loads them again and reports a failure.
  scripts().catch(() => undefined);
  if (found.startsWith('/w/')) {
    import('./app/shell.tsx').catch(() => undefined);
    sendEarly('/v1/auth/me');
  }
  // Filters and the like change what the page asks for.
  if (api && location.search === '') sendEarly(api(...ids));
}

/**
 * The font comes before the first text. A slow connection does without: the rows of a list would be there
 * half a second later.
 */
function addFont(): void {
  const address = '/assets/inter-7a7b462d.woff2';
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: address });
  document.head.append(link);
  // Text that is shown without it stays as it is: nothing moves.
  const face = new FontFace('Inter', `url(${address})`, { weight: '400 700', display: 'optional' });
  document.fonts.add(face);
}

const { connection } = navigator as { connection?: { effectiveType: string } };
// Only some browsers tell.
if (!connection || connection.effectiveType === '4g') addFont();
