import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ImportJob, newId, type WorkspaceExport } from '@waymark/contracts';
import { ANSWER_LIMIT_MS, callApi } from '../api.ts';
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

type Headers = Record<string, string>;

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
  const { workspaceId, email } = owner;
  const created = await callApi<{ key: string }>(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: owner.headers,
    body: { workspaceId, name: 'Demo key', scopes: ['read', 'write'] },
  });
  const callers = { owner: owner.headers, program: { authorization: `Bearer ${created.body.key}` } };
  const people: Person[] = [owner];
  for (const { role, ...person } of content.people) {
    const member = await signUp(baseUrl, { ...person, password });
    await addMember(baseUrl, { owner, member, role });
    if (role !== 'viewer') people.push(member);
  }
  const name = { method: 'PATCH', headers: owner.headers, body: { name: 'Demo workspace' } };
  await callApi(`${baseUrl}/workspaces/${workspaceId}`, name);
  await createDecisions(baseUrl, workspaceId, people);
  await createWebhook(baseUrl, workspaceId, owner.headers);
  await createWorkflow(baseUrl, workspaceId, callers);
  return { base_url: baseUrl, workspace_id: workspaceId, api_key: created.body.key, email, password };
}

/**
 * Invites somebody to the owner's workspace, and accepts for them. Without an address, nothing is mailed, and
 * the invitation gives the role member at most.
 */
async function addMember(baseUrl: string, people: { owner: Person; member: Person; role: string }) {
  const { owner, member, role } = people;
  const invited = await callApi<{ url: string }>(`${baseUrl}/invitations`, {
    method: 'POST',
    headers: owner.headers,
    body: { workspaceId: owner.workspaceId, role: role === 'admin' ? 'member' : role },
  });
  await callApi(`${baseUrl}/invitations/accept`, {
    method: 'POST',
    headers: member.headers,
    body: { token: new URL(invited.body.url).hash.slice(1) },
  });
  if (role !== 'admin') return;
  const { headers } = owner;
  const list = `${baseUrl}/members?workspaceId=${owner.workspaceId}`;
  const { body: members } = await callApi<{ data: { id: string; user_id: string }[] }>(list, { headers });
  const { id } = members.data.find(({ user_id }) => user_id === member.id)!;
  await callApi(`${baseUrl}/members/${id}`, { method: 'PATCH', headers, body: { role } });
}

/** Imports past records, which keep their times, and creates today's records as several people. */
async function createDecisions(baseUrl: string, workspaceId: string, people: Person[]): Promise<void> {
  const authors = people.map(({ id, name }) => ({ id, name }));
  const { file, ids } = demoPast(workspaceId, authors);
  await importFile(baseUrl, workspaceId, people[0]!.headers, file);

  let turn = 0;
  const call = (method: string, path: string, body: object) =>
    callApi(`${baseUrl}${path}?workspaceId=${workspaceId}`, {
      method,
      headers: people[turn++ % people.length]!.headers,
      body,
    });
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
  baseUrl: string,
  workspaceId: string,
  headers: Headers,
  file: WorkspaceExport,
  limitMs = IMPORT_LIMIT_MS,
): Promise<void> {
  const begun = await callApi<ImportJob>(`${baseUrl}/imports?workspaceId=${workspaceId}`, {
    method: 'POST',
    headers,
    body: file,
  });
  let job = begun.body;
  let movedAtMs = performance.now();
  while (job.finished_at === null) {
    if (performance.now() - movedAtMs > limitMs)
      throw new Error(`the import of its past has not moved for ${limitMs / 1_000} seconds`);
    await delay(IMPORT_POLL_MS);
    const { body } = await callApi<ImportJob>(`${baseUrl}/imports/${job.id}`, { headers });
    if (!isDeepStrictEqual(body, job)) movedAtMs = performance.now();
    job = body;
  }
  if (job.status !== 'succeeded')
    throw new Error(`the demo's past did not import: ${JSON.stringify(job.issues)}`);
}

/** Disabled, because no receiver runs yet. */
async function createWebhook(baseUrl: string, workspaceId: string, headers: Headers): Promise<void> {
  const created = await callApi<{ id: string }>(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers,
    body: {
      workspaceId,
      url: 'http://127.0.0.1:9009/waymark',
      description: 'A receiver on this machine: start one, then enable this',
      events: ['decision.created', 'decision.outcome_logged'],
    },
  });
  const disable = { method: 'PATCH', headers, body: { enabled: false } };
  await callApi(`${baseUrl}/webhooks/${created.body.id}`, disable);
}

async function createWorkflow(
  baseUrl: string,
  workspaceId: string,
  callers: Record<'owner' | 'program', Headers>,
): Promise<void> {
  const asOwner = { headers: callers.owner };
  const created = await callApi<{ id: string }>(`${baseUrl}/workflows`, {
    ...asOwner,
    method: 'POST',
    body: { workspaceId, ...content.workflow },
  });
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
  const graph = { nodes, edges };
  await callApi(`${baseUrl}/workflows/${created.body.id}/graph`, { ...asOwner, method: 'PUT', body: graph });
  for (const { on, by, ...message } of content.messages) {
    const headers = callers[by as keyof typeof callers];
    await callApi(`${baseUrl}/threads/${ids.get(on)}`, { method: 'POST', headers, body: message });
  }
}

interface Person {
  id: string;
  name: string;
  email: string;
  workspaceId: string;
  headers: Headers;
}

/** Creates a user with a workspace. If an older demo's user has the address, this one gets another. */
async function signUp(
  baseUrl: string,
  person: { email: string; name: string; password: string },
): Promise<Person> {
  const signUpAs = async (email: string) => {
    const { body, cookie } = await callApi<{ user: { id: string }; workspaces: { id: string }[] }>(
      `${baseUrl}/auth/sign-up`,
      {
        method: 'POST',
        body: { ...person, email },
      },
    );
    const headers = { cookie: cookie ?? '' };
    return { id: body.user.id, name: person.name, email, workspaceId: body.workspaces[0]!.id, headers };
  };
  const another = person.email.replace('@', `+${Date.now()}@`);
  return signUpAs(person.email).catch(() => signUpAs(another));
}
