import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ImportJob, newId, type WorkspaceExport } from '@waymark/contracts';
import { ANSWER_LIMIT_MS, type Call, callApi, callsOf } from '../api.ts';
import { readJson } from '../read-json.ts';
import content from './demo.json' with { type: 'json' };
import { bodyOf, demoPast } from './demo-past.ts';

/** The content of `.waymark/demo.json`, for people and scripts that try the product. */
export interface Demo {
  base_url: string;
  workspace_id: string;
  api_key: string;
  email: string;
  password: string;
}

const IMPORT_POLL_MS = 100;
/** Without progress of the import for this long, the product starts without a demo. */
const IMPORT_LIMIT_MS = 120_000;
const EMAIL = 'demo@waymark.example';
/** Distances of the nodes on the canvas. */
const COLUMN_WIDTH = 285;
const ROW_HEIGHT = 160;

/** Returns the demo workspace: the existing one if its key still works, else a new one. */
export async function ensureDemo(options: { directory: string; baseUrl: string }): Promise<Demo> {
  const file = join(options.directory, 'demo.json');
  const known = await readJson<Demo | null>(file, null);
  if (known !== null) {
    const demo = { ...known, base_url: options.baseUrl };
    if (await isUsable(demo)) return writeDemo(file, demo);
  }
  return writeDemo(file, await createDemo(options.baseUrl));
}

async function writeDemo(file: string, demo: Demo): Promise<Demo> {
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}

async function isUsable(demo: Demo): Promise<boolean> {
  const response = await fetch(`${demo.base_url}/whoami`, {
    headers: { authorization: `Bearer ${demo.api_key}` },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (response.status >= 500) throw new Error(`whoami answered ${response.status}: ${await response.text()}`);
  return response.status !== 401;
}

async function createDemo(baseUrl: string): Promise<Demo> {
  const password = randomBytes(12).toString('base64url');
  const owner = await signUp(baseUrl, { email: EMAIL, name: 'Demo Owner', password });
  const { workspaceId, email, call } = owner;
  const newKey = { workspaceId, name: 'Demo key', scopes: ['read', 'write'] };
  const { key } = await call<{ key: string }>('POST', '/api-keys', newKey);
  const program = callsOf(baseUrl, { authorization: `Bearer ${key}` });
  const people: Person[] = [owner];
  for (const { role, ...person } of content.people) {
    const member = await signUp(baseUrl, { ...person, password });
    await addMember({ owner, member, role });
    if (role !== 'viewer') people.push(member);
  }
  await call('PATCH', `/workspaces/${workspaceId}`, { name: 'Demo workspace' });
  await createDecisions(workspaceId, people);
  await createWebhook(workspaceId, call);
  await createWorkflow(workspaceId, { owner: call, program });
  return { base_url: baseUrl, workspace_id: workspaceId, api_key: key, email, password };
}

/**
 * Invites somebody to the owner's workspace, and accepts for them. Without an address, nothing is mailed, and
 * the invitation gives the role member at most.
 */
async function addMember({ owner, member, role }: { owner: Person; member: Person; role: string }) {
  const { workspaceId, call } = owner;
  const invitation = { workspaceId, role: role === 'admin' ? 'member' : role };
  const { url } = await call<{ url: string }>('POST', '/invitations', invitation);
  await member.call('POST', '/invitations/accept', { token: new URL(url).hash.slice(1) });
  if (role !== 'admin') return;
  const members = `/members?workspaceId=${workspaceId}`;
  const { data } = await call<{ data: { id: string; user_id: string }[] }>('GET', members);
  const { id } = data.find(({ user_id }) => user_id === member.id)!;
  await call('PATCH', `/members/${id}`, { role });
}

/** Imports past records, which keep their times, and creates today's records as several people. */
async function createDecisions(workspaceId: string, people: Person[]): Promise<void> {
  const authors = people.map(({ id, name }) => ({ id, name }));
  const { file, ids } = demoPast(workspaceId, authors);
  await importFile(workspaceId, people[0]!.call, file);

  let turn = 0;
  const call = (method: string, path: string, body: object) =>
    people[turn++ % people.length]!.call(method, `${path}?workspaceId=${workspaceId}`, body);
  for (const [title, change] of Object.entries(content.changes)) {
    await call('PATCH', `/decisions/${ids.get(title)}`, change);
  }
  for (const { supersedes, ...decision } of content.created) {
    const superseded = supersedes && { supersedes: ids.get(supersedes) };
    await call('POST', '/decisions', { ...bodyOf(decision), ...superseded });
  }
}

/** Throws if nothing of the import has moved for `limitMs`. */
export async function importFile(
  workspaceId: string,
  call: Call,
  file: WorkspaceExport,
  limitMs = IMPORT_LIMIT_MS,
): Promise<void> {
  let job = await call<ImportJob>('POST', `/imports?workspaceId=${workspaceId}`, file);
  let movedAtMs = performance.now();
  while (job.finished_at === null) {
    if (performance.now() - movedAtMs > limitMs)
      throw new Error(`the import of its past has not moved for ${limitMs / 1_000} seconds`);
    await delay(IMPORT_POLL_MS);
    const next = await call<ImportJob>('GET', `/imports/${job.id}`);
    if (!isDeepStrictEqual(next, job)) movedAtMs = performance.now();
    job = next;
  }
  if (job.status !== 'succeeded')
    throw new Error(`the demo's past did not import: ${JSON.stringify(job.issues)}`);
}

/** Disabled, because no receiver runs yet. */
async function createWebhook(workspaceId: string, call: Call): Promise<void> {
  const { id } = await call<{ id: string }>('POST', '/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9009/waymark',
    description: 'A receiver on this machine: start one, then enable this',
    events: ['decision.created', 'decision.outcome_logged'],
  });
  await call('PATCH', `/webhooks/${id}`, { enabled: false });
}

async function createWorkflow(
  workspaceId: string,
  callers: Record<'owner' | 'program', Call>,
): Promise<void> {
  const workflow = { workspaceId, ...content.workflow };
  const { id } = await callers.owner<{ id: string }>('POST', '/workflows', workflow);
  const ids = new Map(Object.keys(content.nodes).map((name) => [name, newId()]));
  const nodes = Object.entries(content.nodes).map(([name, { at, ...node }]) => {
    const [column, row] = at as [number, number];
    return { ...node, id: ids.get(name), positionX: column * COLUMN_WIDTH, positionY: row * ROW_HEIGHT };
  });
  const edges = content.edges.map(({ from, to, condition = null }) => ({
    sourceId: ids.get(from),
    targetId: ids.get(to),
    condition,
  }));
  await callers.owner('PUT', `/workflows/${id}/graph`, { nodes, edges });
  for (const { on, by, ...message } of content.messages) {
    await callers[by as keyof typeof callers]('POST', `/threads/${ids.get(on)}`, message);
  }
}

interface Person {
  id: string;
  name: string;
  email: string;
  workspaceId: string;
  call: Call;
}

/** Creates a user with a workspace. If an older demo's user has the address, this one gets another. */
async function signUp(
  baseUrl: string,
  person: { email: string; name: string; password: string },
): Promise<Person> {
  const signUpAs = async (email: string) => {
    const { body, cookie } = await callApi<{ user: { id: string }; workspaces: { id: string }[] }>(
      `${baseUrl}/auth/sign-up`,
      { method: 'POST', body: { ...person, email } },
    );
    const call = callsOf(baseUrl, { cookie: cookie ?? '' });
    return { id: body.user.id, name: person.name, email, workspaceId: body.workspaces[0]!.id, call };
  };
  const another = person.email.replace('@', `+${Date.now()}@`);
  return signUpAs(person.email).catch(() => signUpAs(another));
}
