import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callApi } from './api.ts';
import { demoDecisions, supersededDecision } from './demo-decisions.ts';
import { demoGraph, demoMessages, demoWorkflow } from './demo-workflow.ts';

/** What `.waymark/demo.json` holds, for people and scripts that try the product. */
export interface Demo {
  base_url: string;
  workspace_id: string;
  api_key: string;
  email: string;
  password: string;
}

type Headers = Record<string, string>;

const EMAIL = 'demo@waymark.example';

/** The demo workspace of this installation: the known one while its key still works, else a new one. */
export async function ensureDemo(options: { directory: string; baseUrl: string }): Promise<Demo> {
  const file = join(options.directory, 'demo.json');
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) {
    const demo = { ...(JSON.parse(known) as Demo), base_url: options.baseUrl };
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
  });
  if (response.status >= 500) throw new Error(`whoami answered ${response.status}: ${await response.text()}`);
  return response.status !== 401;
}

async function createDemo(baseUrl: string): Promise<Demo> {
  const password = randomBytes(12).toString('base64url');
  // An older demo user may be left from a workspace whose key is gone: its address stays taken.
  const email = await signUpAs(baseUrl, EMAIL, password).catch(() =>
    signUpAs(baseUrl, EMAIL.replace('@', `+${Date.now()}@`), password),
  );
  const signedIn = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-in`, {
    method: 'POST',
    body: { email, password },
  });
  const workspaceId = signedIn.body.workspaces[0]!.id;
  const owner = { cookie: signedIn.cookie ?? '' };
  const created = await callApi<{ key: string }>(`${baseUrl}/api-keys`, {
    method: 'POST',
    headers: owner,
    body: { workspaceId, name: 'Demo key', scopes: ['read', 'write'] },
  });
  const callers = { owner, program: { authorization: `Bearer ${created.body.key}` } };
  await createDecisions(baseUrl, workspaceId, owner);
  await createWorkflow(baseUrl, workspaceId, callers);
  return { base_url: baseUrl, workspace_id: workspaceId, api_key: created.body.key, email, password };
}

async function createDecisions(baseUrl: string, workspaceId: string, headers: Headers): Promise<void> {
  const url = `${baseUrl}/decisions?workspaceId=${workspaceId}`;
  const create = (body: object) => callApi<{ id: string }>(url, { method: 'POST', headers, body });
  const superseded = await create(supersededDecision);
  const archive = { method: 'PATCH', headers, body: { status: 'archived' } };
  await callApi(`${baseUrl}/decisions/${superseded.body.id}?workspaceId=${workspaceId}`, archive);
  const [first, ...others] = demoDecisions;
  await create({ ...first, supersedes: superseded.body.id });
  for (const decision of others) await create(decision);
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
    body: { workspaceId, ...demoWorkflow },
  });
  const { ids, graph } = demoGraph();
  await callApi(`${baseUrl}/workflows/${created.body.id}/graph`, { ...asOwner, method: 'PUT', body: graph });
  for (const { on, by, ...message } of demoMessages) {
    const headers = callers[by];
    await callApi(`${baseUrl}/threads/${ids[on]}`, { method: 'POST', headers, body: message });
  }
}

async function signUpAs(baseUrl: string, email: string, password: string): Promise<string> {
  await callApi(`${baseUrl}/auth/sign-up`, { method: 'POST', body: { email, password, name: 'Demo Owner' } });
  return email;
}
