import http from 'node:http';
import { internalHeaders, type Principal, type ServiceName } from '@waymark/contracts';
import { identityTokens } from '@waymark/service-kit/http';
import {
  identityPrivateKeysOf,
  readIdentityPrivateKeys,
  readIdentityPublicKeys,
} from '@waymark/service-kit/process';
import { type CallInput, httpCall } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { newWorkspace } from '../../dev/new-workspace.ts';
import { startTemporaryProduct, type TemporaryOptions } from '../../dev/temporary-product.ts';

export type Bench = Awaited<ReturnType<typeof startBench>>;
export type BenchWorkspace = Awaited<ReturnType<Bench['workspace']>>;

/** Starts the product as processes with limits that no bench reaches, and a client of its MongoDB. */
export async function startBench({ env, ...options }: TemporaryOptions = {}) {
  const product = await startTemporaryProduct({ ...options, env: { LIMIT_SCALE: '1000000', ...env } });
  const { baseUrl, processes } = product.services;
  const agent = new http.Agent({ keepAlive: true });
  const mongo = new MongoClient(product.stores.mongoUrl);

  /** Returns the body of the response. Throws unless the call succeeds. */
  async function call(method: string, path: string, input: CallInput & { at?: string } = {}) {
    const answer = await httpCall(input.at ?? baseUrl, method, path, { agent, ...input });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  const identity = identityTokens({
    service: 'gateway',
    privateKeys: readIdentityPrivateKeys(product.secrets[identityPrivateKeysOf('gateway')]!),
    publicKeys: readIdentityPublicKeys(product.secrets['IDENTITY_PUBLIC_KEYS']!),
  });

  return {
    ...product,
    baseUrl,
    agent,
    mongo,
    call,
    processOf: (name: ServiceName) => processes.find(({ service }) => service === name)!,
    /** Returns the headers in which the gateway names a caller to a service. Its token expires. */
    headersFor: async (principal: Principal, service: ServiceName) => ({
      [internalHeaders.identity]: await identity.sign(principal, service),
    }),
    /** Creates a workspace, whose `call` sends its key. */
    async workspace(name = 'bench') {
      const created = await newWorkspace(baseUrl, name);
      const own = { headers: { authorization: `Bearer ${created.key}` } };
      const withKey = (method: string, path: string, { headers, ...input }: CallInput = {}) =>
        call(method, path, { headers: { ...own.headers, ...headers }, ...input });
      return { ...created, call: withKey };
    },
    async stop() {
      agent.destroy();
      await mongo.close();
      await product.stop();
    },
  };
}
