import { createPublicKey } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import {
  allOperations,
  BASE_PATH,
  internalHeaders,
  type Operation,
  type ServiceName,
  type StoringService,
  services,
  storingServices,
} from '@waymark/contracts';
import { identityTokens } from '@waymark/service-kit/http';
import {
  identityPrivateKeysOf,
  readIdentityPrivateKeys,
  trustedAuthorities,
} from '@waymark/service-kit/process';
import { ask } from './ask.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The services whose URL is known. */
export interface ServicesObservation {
  /** Whether a request reaches each of them. */
  reachable: Partial<Record<ServiceName, boolean>>;
  /** How far the clock of the replica that differs most is ahead of this machine's. */
  servicesAheadMs: Partial<Record<ServiceName, number>>;
  /** Services that refuse identities signed with GATEWAY_IDENTITY_PRIVATE_KEYS. */
  refusingGateway: ServiceName[];
}

const REQUEST_LIMIT_MS = 3_000;
/** A Date header has whole seconds, and Node makes it once a second. */
const DATE_HEADER_MS = 500;
const NO_ID = '00000000-0000-7000-8000-000000000000';
/** A user whom no workspace knows: a service refuses the request, but not as 401. */
const NOBODY = {
  type: 'session',
  session_id: NO_ID,
  user_id: NO_ID,
  user_name: 'waymark doctor',
  membership: null,
} as const;

/** Asks each replica of each service. Changes nothing. */
export async function observeServices(env: Environment): Promise<ServicesObservation> {
  const sign = gatewaySigner(env);
  const secureContext = trustedAuthorities(env['TLS_CA_FILE']);
  const names = Object.keys(services) as ServiceName[];
  const asked = names.flatMap((name) => {
    const urls = env[`${name.toUpperCase()}_URL`];
    return urls ? [observeService(name, urls.split(','), { sign, secureContext })] : [];
  });
  const all = await Promise.all(asked);
  return {
    reachable: Object.fromEntries(all.map(({ name, answers }) => [name, answers.length > 0])),
    servicesAheadMs: Object.fromEntries(
      all.flatMap(({ name, answers }) => (answers.length > 0 ? [[name, furthest(answers)]] : [])),
    ),
    refusingGateway: all.filter(({ refuses }) => refuses).map(({ name }) => name),
  };
}

type Signer = ((service: ServiceName) => Promise<string>) | null;

async function observeService(
  name: ServiceName,
  urls: readonly string[],
  { sign, secureContext }: { sign: Signer; secureContext: SecureContext | undefined },
) {
  const isStoring = (storingServices as readonly string[]).includes(name);
  const path = isStoring ? readingPathOf(name as StoringService) : `${BASE_PATH}/version`;
  const identity = isStoring ? await sign?.(name) : undefined;
  const headers: Record<string, string> = identity ? { [internalHeaders.identity]: identity } : {};
  const tried = await Promise.all(
    urls.map(async (url) => {
      const observeOnce = () => observeReplica(URL.parse(path, url.trim()), headers, secureContext);
      // An answer that is late on a busy machine is no outage.
      return (await observeOnce()) ?? observeOnce();
    }),
  );
  const answers = tried.filter((answer) => answer !== null);
  return { name, answers, refuses: identity !== undefined && answers.some(({ status }) => status === 401) };
}

/** The path of a request that reads; a service answers it, also when it refuses. */
export function readingPathOf(service: StoringService): string {
  const operation = (Object.values(allOperations) as Operation[]).find(
    (one) => one.service === service && one.method === 'GET',
  )!;
  const isInternal = operation.path.startsWith('/internal/');
  return `${isInternal ? '' : BASE_PATH}${operation.path.replaceAll(/\{\w+\}/g, NO_ID)}`;
}

interface Observed {
  status: number;
  aheadMs: number;
}

/** Null without an answer. */
async function observeReplica(
  url: URL | null,
  headers: Record<string, string>,
  secureContext: SecureContext | undefined,
): Promise<Observed | null> {
  if (!url) return null;
  const sentAtMs = Date.now();
  const answer = await ask(url, { limitMs: REQUEST_LIMIT_MS, headers, secureContext });
  if (!answer) return null;
  const date = Date.parse(answer.headers.date ?? '');
  const aheadMs = Number.isNaN(date) ? 0 : date + DATE_HEADER_MS - (sentAtMs + Date.now()) / 2;
  return { status: answer.status, aheadMs };
}

const furthest = (answers: readonly Observed[]) =>
  answers.map(({ aheadMs }) => aheadMs).toSorted((a, b) => Math.abs(b) - Math.abs(a))[0]!;

/** Null without the gateway's key, as outside the tools' environment, or with one that cannot be read. */
function gatewaySigner(env: Environment): Signer {
  const list = env[identityPrivateKeysOf('gateway')];
  if (!list) return null;
  try {
    const privateKeys = readIdentityPrivateKeys(list);
    const publicKeys = new Map([['gateway' as const, privateKeys.map((key) => createPublicKey(key))]]);
    const identity = identityTokens({ service: 'gateway', privateKeys, publicKeys });
    return (service) => identity.sign(NOBODY, service);
  } catch {
    return null;
  }
}
