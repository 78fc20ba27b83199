import { expect } from '@jest/globals';
import { operationList, operationMatcher } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Page, Request, Route } from 'playwright-core';
import { codeThatTellsErrorsApart } from './controls-in-code.ts';

interface Ending {
  /** A status, or `offline`. */
  name: string;
  /** The code of the error. */
  code?: string;
  end: (route: Route) => Promise<void>;
  /** What the page says about it. */
  words: RegExp;
}

const refused = (status: number, code: string, words = `Ending ${status}`): Ending => ({
  name: String(status),
  code,
  end: (route) =>
    route.fulfill({
      status,
      headers: { 'retry-after': '1' },
      json: { error: code, message: `Ending ${status}.` },
    }),
  words: new RegExp(words),
});

/** What a request can end in, if code tells it apart. */
const ENDINGS: Ending[] = [
  refused(400, 'VALIDATION_ERROR'),
  refused(403, 'FORBIDDEN'),
  refused(404, 'NOT_FOUND'),
  {
    name: 'offline',
    end: (route) => route.abort('internetdisconnected'),
    words: /Waymark does not answer|Waiting to save/,
  },
  refused(409, 'CONFLICT'),
  refused(412, 'PRECONDITION_FAILED', 'Ending 412|changed this decision while you'),
  refused(429, 'RATE_LIMITED', 'Wait 1 s|in 1 s|Waiting to save'),
  refused(500, 'INTERNAL_ERROR', 'Ending 500|Waiting to save'),
  refused(503, 'SERVICE_UNAVAILABLE', 'Ending 503|Waiting to save'),
  refused(401, 'UNAUTHORIZED', 'Sign in, then try again|Ending 401'),
];

/** A refusal, no answer, and the end of the session: these take other ways through the code of a control. */
const OF_EACH_KIND = ['503', 'offline', '401'];

/**
 * Returns the endings that take different ways through the code of a control: one of each kind, and those
 * that its code names. The words of each ending are tested with `problemOf`.
 */
function endingsOf(control: string): Ending[] {
  const code = codeThatTellsErrorsApart(control);
  const isNamed = (word: string | undefined) => word !== undefined && new RegExp(`\\b${word}\\b`).test(code);
  return ENDINGS.filter((one) => OF_EACH_KIND.includes(one.name) || isNamed(one.name) || isNamed(one.code));
}

export interface Control {
  /** Where it is: a path in the workspace, or from the root. */
  at: string;
  /** Shows it, once the page is open. */
  open?: (page: Page) => Promise<unknown>;
  /** Uses it, and may be repeated. */
  act: (page: Page) => Promise<unknown>;
  /** The request, unless it is each one that changes something. */
  takes?: RegExp;
  /** Endings that it does not have, or that its own tests cover. */
  without?: string[];
  /** Endings after which it repeats the request by itself. */
  repeatsItself?: string[];
  /** The response to the last repetition, where the product has none for this page. */
  response?: object;
  /** Waits for what the success leads to, if the next control needs it. */
  until?: (page: Page) => Promise<unknown>;
}

/** Requests that no control sends. */
const IN_BACKGROUND = /^POST \/(presence|auth\/invitation)/;
const match = operationMatcher(operationList);

/**
 * Uses a control until its request has had each of its endings. The page must say each one, and let the user
 * repeat the request, which succeeds at last. Adds each operation to `seen`.
 */
export async function walkEndings(
  page: Page,
  name: string,
  control: Control,
  seen: Set<string>,
): Promise<void> {
  const { act, open, takes = /^(?!GET)/, without = [], repeatsItself = [], response, until } = control;
  await open?.(page);
  let ending: Ending | null = null;
  let requests = 0;
  const nameOf = (request: Request) => `${request.method()} ${new URL(request.url()).pathname.slice(3)}`;
  const isTaken = (request: Request) => takes.test(nameOf(request)) && !IN_BACKGROUND.test(nameOf(request));
  const endIt = (route: Route, request: Request) => {
    if (!isTaken(request)) return route.fallback();
    const [method = '', path = ''] = nameOf(request).split(' ');
    const found = match(method, path);
    if (found && 'match' in found) seen.add(`${method} ${found.match.operation.path}`);
    requests += 1;
    if (ending !== null) return ending.end(route);
    return response ? route.fulfill({ json: response }) : route.fallback();
  };
  await page.route('**/v1/**', endIt);
  const said = page.locator(
    '[role="alert"], .notices, [role="toolbar"] [role="status"], .bulk-bar [role="status"]',
  );
  const again = page.locator('.notices').getByRole('button', { name: 'Try again' });
  const repeat = async () => ((await again.count()) > 0 ? again.click() : act(page));
  let isRepeating = false;
  for (const next of endingsOf(name).filter((one) => !without.includes(one.name))) {
    const before = requests;
    ending = next;
    if (!isRepeating) await repeat();
    await said
      .filter({ hasText: next.words })
      .first()
      .waitFor()
      .catch((error: unknown) => {
        throw new Error(`${next.name} is not said after ${requests - before} requests`, { cause: error });
      });
    await eventually(() => expect([next.name, requests]).not.toEqual([next.name, before]));
    isRepeating = repeatsItself.includes(next.name);
  }
  ending = null;
  const succeeded = page.waitForResponse((answer) => isTaken(answer.request()) && answer.ok());
  if (!isRepeating) await repeat();
  await succeeded;
  await said
    .filter({ hasText: /Sign in, then try again|Ending \d/ })
    .first()
    .waitFor({ state: 'detached' });
  await until?.(page);
  await page.unroute('**/v1/**', endIt);
}
