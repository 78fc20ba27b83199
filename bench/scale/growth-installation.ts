import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { eventually, httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { type NewWorkspace, newWorkspace } from '../../dev/new-workspace.ts';
import { readJson } from '../../dev/read-json.ts';
import type { ServiceProcess } from '../../dev/services.ts';
import { startTemporaryProduct } from '../../dev/temporary-product.ts';
import type { Call } from '../support/decision-calls.ts';
import { startReceiver } from '../webhooks/load.ts';
import { growthCalls } from './growth-calls.ts';
import { callsAsOwner, RARE_WORD, setScene } from './growth-workspace.ts';
import { type Size, seedScale } from './seed-scale.ts';

const DECISIONS = 1_000;
/** For the search index of a large workspace. */
const INDEXED_WITHIN_MS = 400_000;

/** A complete installation to measure. */
export interface Installation {
  mongo: MongoClient;
  /** All services except the gateway. */
  services: ServiceProcess[];
  /** A call that was interrupted is continued. */
  fill(size: Size): Promise<void>;
  calls(): Promise<Record<string, Call>>;
  /** Resolves when an index answers searches; a new process scans at first. */
  untilIndexed(): Promise<void>;
  /** The size that it has. */
  describe(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts an installation with its data in a directory. */
export async function openInstallation(directory: string): Promise<Installation> {
  const env = { LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn' };
  const options = { directory, env, stalledMs: INDEXED_WITHIN_MS };
  const { services, stores, secrets, stop } = await startTemporaryProduct(options);
  const { baseUrl, processes } = services;
  const mongo = new MongoClient(stores.mongoUrl);
  const agent = new http.Agent({ keepAlive: true });
  const receiver = await startReceiver();
  const workspace = await workspaceIn(directory, baseUrl);
  const { workspaceId } = workspace;
  const call = callsAsOwner(baseUrl, workspace, agent);
  const scene = await setScene(call, { workspaceId, receiverUrl: receiver.url });
  const decisions = mongo.db('waymark_decisions').collection<{ _id: string }>('decisions');

  return {
    mongo,
    services: processes.filter(({ service }) => service !== 'gateway'),
    fill: (size) => seedScale({ mongo, workspaceId, signingKeys: secrets['AUDIT_SIGNING_KEYS']!, ...size }),
    async calls() {
      const known = decisions.find({ workspace_id: workspaceId }).limit(DECISIONS);
      const decisionIds = (await known.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id);
      return growthCalls({ ...workspace, call, baseUrl, scene, decisionIds });
    },
    untilIndexed: () =>
      untilIndexed(processes, () => call('GET', `/search?workspaceId=${workspaceId}&q=${RARE_WORD}`)),
    async describe() {
      const workspaces = mongo.db('waymark_accounts').collection('workspaces');
      const counts = [decisions.estimatedDocumentCount(), workspaces.estimatedDocumentCount()];
      const [ofDecisions, ofWorkspaces] = await Promise.all(counts);
      return `${ofDecisions} decisions, ${ofWorkspaces} workspaces`;
    },
    async stop() {
      agent.destroy();
      receiver.process.disconnect();
      await mongo.close();
      await stop();
    },
  };
}

/** Returns the measured workspace; a kept directory returns the same one. */
async function workspaceIn(directory: string, baseUrl: string): Promise<NewWorkspace> {
  const file = join(directory, 'tenant.json');
  const known = await readJson<NewWorkspace | null>(file, null);
  const workspace = known ?? (await newWorkspace(baseUrl, 'bench'));
  if (!known) await writeFile(file, JSON.stringify(workspace), { mode: 0o600 });
  return workspace;
}

async function untilIndexed(
  processes: readonly ServiceProcess[],
  search: () => Promise<unknown>,
): Promise<void> {
  const { adminUrl } = processes.find(({ service }) => service === 'search')!;
  await eventually(async () => {
    await search();
    const { text } = await httpCall(adminUrl, 'GET', '/metrics');
    return /^waymark_search_answers_total\{.*source="index".*\} [1-9]/m.test(text);
  }, INDEXED_WITHIN_MS);
}
