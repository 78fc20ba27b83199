import { KIBIBYTE, newId, type ServiceName } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { type Answer, hang, type Stack, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { startTransfer } from '@waymark/transfer';
import { type HoldingProxy, startHoldingProxy } from '../holding-proxy.ts';
import { startProduct } from '../product.ts';
import type { Workspace } from '../records.ts';

export const ATTACKERS = 30;

export interface Attacker extends Workspace {
  address: string;
  /** The newest event of the workspace. */
  newest?: string;
  /** The id of a workflow whose graph is large. */
  large?: string;
}

export const storing = [
  ...['accounts', 'decisions', 'workflows', 'threads', 'search'],
  ...['audit', 'webhooks', 'transfer', 'notifications'],
] as Exclude<ServiceName, 'gateway'>[];

export type AttackedProduct = Awaited<ReturnType<typeof startAttackedProduct>>;

/**
 * The product in this process with 30 accounts of one network, one account with 30 workspaces, and the
 * bystander's workspace, of another network. Proxies hold back requests to the services, those of decisions
 * to MongoDB, and those of transfer to decisions.
 */
export async function startAttackedProduct() {
  const proxies: Partial<Record<ServiceName, HoldingProxy>> = {};
  const toMongo: HoldingProxy[] = [];
  /** Where transfer reads decisions. */
  const pages: HoldingProxy[] = [];
  const gateway: typeof startGateway = async (env, ...rest) => {
    const own: Record<string, string> = {};
    for (const service of storing) {
      const name = `${service.toUpperCase()}_URL`;
      const proxy = await startHoldingProxy(Number(new URL(env[name]!).port));
      proxies[service] = proxy;
      own[name] = `http://127.0.0.1:${proxy.port}`;
    }
    return startGateway({ ...env, ...own }, ...rest);
  };
  const decisions: typeof startDecisions = async (env, seams) => {
    const proxy = await startHoldingProxy(Number(new URL(env['MONGODB_URL']!).port));
    toMongo.push(proxy);
    const url = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
    return startDecisions({ ...env, MONGODB_URL: url }, seams);
  };
  const transfer: typeof startTransfer = async (env, seams) => {
    const proxy = await startHoldingProxy(Number(new URL(env['DECISIONS_URL']!).port));
    pages.push(proxy);
    return startTransfer({ ...env, DECISIONS_URL: `http://127.0.0.1:${proxy.port}` }, seams);
  };
  const product = await startProduct(
    {
      TRUSTED_PROXIES: '127.0.0.1',
      BODY_TIMEOUT_MS: '600000',
      SIGN_UPS_PER_HOUR: String(ATTACKERS),
      // Fewer than the deliveries of the attackers.
      WEBHOOK_TOTAL_CONCURRENCY: '256',
      // Attempts of the first attackers last until those of the last ones begin, on a busy machine too.
      WEBHOOK_TIMEOUT_MS: '30000',
    },
    {},
    { gateway, transfer, decisions },
  );
  const receivers = { mine: await startWebhookReceiver(), theirs: await startWebhookReceiver() };
  receivers.theirs.behave(hang());
  const mine = await product.workspace();
  const created = (path: string, by: Workspace & { address?: string }, body: object) =>
    create(product, path, by, body);
  const workflow = await created('/workflows', mine, { title: 'An empty workflow' });
  const workflowId = await created('/workflows', mine, { title: 'A workflow' });
  const place = { workflowId, type: 'task', positionX: 0, positionY: 0 };
  const node = await created('/nodes', mine, { title: 'A node', ...place });
  const large = await createLargeWorkflow(product, mine, 20);
  await addWebhook(product, mine, receivers.mine);
  const attackers = {
    'accounts of one network': await manyAccounts(product),
    'workspaces of one account': await manyWorkspaces(product),
  };
  for (const attacker of Object.values(attackers).flat())
    await created('/decisions', attacker, { title: 'aaa' });
  async function stop(): Promise<void> {
    await product.stop();
    const others = [...Object.values(proxies), ...toMongo, ...pages, ...Object.values(receivers)];
    await Promise.all(others.map((one) => one.stop()));
  }
  /** Ends what the proxies hold back. */
  function drop(): void {
    for (const proxy of [...Object.values(proxies), ...toMongo, ...pages]) proxy.drop();
  }
  return {
    product,
    proxies,
    toMongo,
    pages,
    drop,
    receivers,
    mine,
    workflow,
    large,
    node,
    attackers,
    created,
    stop,
  };
}

export const as = (by: Pick<Attacker, 'key' | 'cookie'> & { address?: string }, bySession = false) => ({
  ...(bySession ? { cookie: by.cookie } : { authorization: `Bearer ${by.key}` }),
  ...(by.address && { 'x-forwarded-for': by.address }),
});

async function create(
  product: Stack,
  path: string,
  by: Workspace & { address?: string },
  body: object,
): Promise<string> {
  const answer = await product.call('POST', path, {
    headers: as(by),
    body: { workspaceId: by.workspaceId, ...body },
  });
  return succeeded(answer).body.id;
}

/** Creates a workflow whose graph has nodes of 60 KiB each. */
export async function createLargeWorkflow(
  product: Stack,
  by: Workspace & { address?: string },
  nodes: number,
): Promise<string> {
  const id = await create(product, '/workflows', by, { title: 'A large workflow' });
  const node = { title: 'A node', type: 'task', positionX: 0, positionY: 0 };
  const data = { text: 'a'.repeat(60 * KIBIBYTE) };
  const body = { nodes: Array.from({ length: nodes }, () => ({ id: newId(), ...node, data })), edges: [] };
  const query = { workspaceId: by.workspaceId };
  succeeded(await product.call('PUT', `/workflows/${id}/graph`, { headers: as(by), query, body }));
  return id;
}

export function succeeded(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

export async function signUp(product: Stack, address: string): Promise<Answer> {
  const body = { email: `${newId()}@example.com`, password: 'correct horse battery', name: 'Mallory' };
  return product.call('POST', '/auth/sign-up', { headers: { 'x-forwarded-for': address }, body });
}

async function attacker(
  product: Stack,
  address: string,
  answer: Answer,
  workspaceId: string,
): Promise<Attacker> {
  const cookie = answer.cookies[0]!.split(';')[0]!;
  const key = await product.createKey({ workspaceId, cookie });
  return { userId: answer.body.user.id, email: '', password: '', cookie, workspaceId, key, address };
}

async function manyAccounts(product: Stack): Promise<Attacker[]> {
  const all: Attacker[] = [];
  for (let n = 0; n < ATTACKERS; n += 1) {
    const answer = await signUp(product, '192.0.2.1');
    all.push(await attacker(product, '192.0.2.1', answer, answer.body.workspaces[0].id));
  }
  return all;
}

/** Each request comes from another network, so that only the account is the same. */
async function manyWorkspaces(product: Stack): Promise<Attacker[]> {
  const answer = await signUp(product, '198.51.100.0');
  const all: Attacker[] = [];
  for (let n = 0; n < ATTACKERS; n += 1) {
    const cookie = answer.cookies[0]!.split(';')[0]!;
    const made = await product.call('POST', '/workspaces', { cookie, body: { name: `Workspace ${n}` } });
    all.push(await attacker(product, `198.51.100.${n}`, answer, made.body.id));
  }
  return all;
}

export async function addWebhook(
  product: Stack,
  { cookie, workspaceId }: Workspace,
  { url }: WebhookReceiver,
): Promise<string> {
  const body = { workspaceId, url, events: ['decision.created'] };
  return succeeded(await product.call('POST', '/webhooks', { cookie, body })).body.id;
}
