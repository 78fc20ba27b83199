import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId, type ServiceName } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import type { RunningService } from '@waymark/service-kit/process';
import { eventually, httpCall, startWebhookReceiver, testFolder } from '@waymark/testing';
import { observeAccess } from '../apps/cli/src/health/access.ts';
import { observe } from '../apps/cli/src/health/observe.ts';
import { createAuthority, writeTlsFiles } from './support/certificates.ts';
import { startProduct } from './support/product.ts';
import { recordedLog } from './support/recorded-log.ts';

const directory = testFolder();
const { log, lines } = recordedLog();

const authority = await createAuthority('of this test');
const files = writeTlsFiles(directory, await authority.issue(), [authority]);
const product = await startProduct(files, { log });
const owner = await product.workspace();
const receiver = await startWebhookReceiver();
afterAll(async () => {
  await receiver.stop();
  await product.stop();
});

const folder = () => mkdtempSync(join(directory, 'other-'));
const running = () => Object.entries(product.running) as [ServiceName, RunningService][];
const behindGateway = () => running().filter(([name]) => name !== 'gateway');
const adminUrl = ({ adminPort }: RunningService) => `https://127.0.0.1:${adminPort}`;

async function answerOf(url: string): Promise<{ status: number; body: string }> {
  const request = https.get(url, { ca: authority.pem, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}
const ask = async (url: string): Promise<number> => (await answerOf(url)).status;

function serialNumberAt(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const list = (url = product.url) =>
  httpCall(url, 'GET', '/v1/decisions', {
    query: { workspaceId: owner.workspaceId },
    headers: { authorization: `Bearer ${owner.key}` },
  });

async function createDecision(title: string): Promise<string> {
  const { status, body } = await product.call('POST', '/decisions', { key: owner.key, body: { title } });
  expect(status).toBe(201);
  return body.id;
}

describe('a product with TLS between its services', () => {
  it('carries a decision from the gateway to the service, search, audit and a webhook', async () => {
    const subscribed = await product.call('POST', '/webhooks', {
      cookie: owner.cookie,
      headers: { origin: product.url },
      body: { workspaceId: owner.workspaceId, url: receiver.url, events: ['decision.created'] },
    });
    expect(subscribed.status).toBe(201);
    const id = await createDecision('Encrypt the network');
    await eventually(() => expect(receiver.requests.map(({ body }) => body.data.id)).toEqual([id]));
    await eventually(async () => {
      const found = await product.call('GET', '/search', { key: owner.key, query: { q: 'crypt the net' } });
      expect(found.body.decisions).toMatchObject([{ id }]);
    });
    await eventually(async () => {
      const query = { action: 'decision.create' };
      const { body } = await product.call('GET', '/audit-log', { cookie: owner.cookie, query });
      expect(body.data).toMatchObject([{ resource_id: id }]);
    });
  });

  it('streams bodies and answers', async () => {
    const nodes = Array.from({ length: 2_000 }, (_, i) => ({
      id: newId(),
      type: 'task',
      title: `Node ${i}`,
      positionX: i,
      positionY: 0,
      data: { text: 'x'.repeat(1_000) },
    }));
    const workflow = await product.call('POST', '/workflows', { key: owner.key, body: { title: 'Large' } });
    const path = `/workflows/${workflow.body.id}/graph`;
    const put = await product.call('PUT', path, { key: owner.key, body: { nodes, edges: [] } });
    expect([put.status, put.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    const exported = await product.call('GET', '/export', { key: owner.key });
    expect(exported.text).toContain('Node 1999');
  });

  it('serves HTTPS alone on the ports of services and of metrics', async () => {
    expect(new URL(product.running.gateway!.url).protocol).toBe('http:');
    for (const [, service] of behindGateway()) {
      expect(await ask(`${service.url}/v1/version`)).toBe(404);
      await expect(httpCall(service.url.replace('https', 'http'), 'GET', '/v1/version')).rejects.toThrow();
    }
    for (const [, service] of running()) {
      expect(await ask(`${adminUrl(service)}/readyz`)).toBe(200);
      const { body } = await answerOf(`${adminUrl(service)}/metrics`);
      const [, expiry] = /^waymark_certificate_expiry_timestamp_seconds\{.*\} (\S+)$/m.exec(body) ?? [];
      expect(Number(expiry) * 1_000).toBeGreaterThan(Date.now());
      await expect(httpCall(adminUrl(service).replace('https', 'http'), 'GET', '/readyz')).rejects.toThrow();
    }
  });

  /** Another replica of decisions, with a certificate of its own. */
  function decisionsWith(files: Record<string, string>) {
    const MONGODB_DATABASE = `${product.env['NATS_PREFIX']}_decisions`;
    return startDecisions({ ...product.env, ...files, PORT: '0', MONGODB_DATABASE });
  }

  it('answers 503 for a service with a certificate of another authority, and logs why once', async () => {
    const other = await createAuthority('of a stranger');
    const strange = writeTlsFiles(folder(), await other.issue(), [authority]);
    const stranger = await decisionsWith(strange);
    const recorded = recordedLog();
    const gateway = await startGateway(
      { ...product.env, DECISIONS_URL: stranger.url },
      { log: recorded.log },
    );
    try {
      for (let i = 0; i < 2; i += 1) {
        const { status, body } = await list(gateway.url);
        expect([status, body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      }
      const failed = recorded.lines.filter((line) => line.includes('TLS with'));
      expect(failed.map((line) => JSON.parse(line))).toMatchObject([
        {
          code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
          msg: `TLS with ${stranger.url.replace('https://', '')} failed: unable to verify the first certificate`,
        },
      ]);
    } finally {
      await gateway.stop();
      await stranger.stop();
    }
  });

  it('refuses a certificate for another name', async () => {
    const named = writeTlsFiles(folder(), await authority.issue({ address: '127.0.0.2' }), [authority]);
    const service = await decisionsWith(named);
    const recorded = recordedLog();
    const gateway = await startGateway({ ...product.env, DECISIONS_URL: service.url }, { log: recorded.log });
    try {
      expect((await list(gateway.url)).status).toBe(503);
      expect(recorded.lines.filter((line) => line.includes('ERR_TLS_CERT_ALTNAME_INVALID'))).toHaveLength(1);
    } finally {
      await gateway.stop();
      await service.stop();
    }
  });

  it('serves the port of the gateway with TLS too if PUBLIC_TLS is set', async () => {
    const gateway = await startGateway({ ...product.env, PUBLIC_TLS: 'true' });
    try {
      expect(await ask(`${gateway.url}/v1/openapi.json`)).toBe(200);
      const { hostname, port } = new URL(gateway.url);
      const silent = connectPlain({ host: hostname, port: Number(port) });
      await once(silent, 'close');
      await expect(list(gateway.url.replace('https', 'http'))).rejects.toThrow();
    } finally {
      await gateway.stop();
    }
    await expect(
      startGateway({ ...product.env, PUBLIC_TLS: 'true', TLS_CERT_FILE: '', TLS_KEY_FILE: '' }),
    ).rejects.toThrow('PUBLIC_TLS needs TLS_CERT_FILE');
  });

  it('is seen by waymark doctor: services answer, and an expired certificate is named', async () => {
    const expired = writeTlsFiles(folder(), await authority.issue({ endsInMs: -1_000 }), [authority]);
    const service = await decisionsWith(expired);
    try {
      const { reachable, certificates, atMs } = await observe(
        { ...product.env, DECISIONS_URL: service.url },
        {},
      );
      expect(reachable).toMatchObject({ accounts: true, audit: true, decisions: false });
      expect(certificates[service.url.replace('https://', '')]).toBeLessThan(atMs);
      expect(certificates[product.running.audit!.url.replace('https://', '')]).toBeGreaterThan(atMs);
      const here = ['127.0.0.1'];
      const access = await observeAccess({ AUDIT_URL: product.running.audit!.url }, here);
      expect(access.offeredToOthers).toMatchObject([{ what: 'audit' }]);
    } finally {
      await service.stop();
    }
  });

  it('uses renewed files without a restart, also those of a new authority', async () => {
    const next = await createAuthority('of next year');
    const renewed = await next.issue();
    // The key is missing for a moment, as where files are written one after another.
    writeFileSync(join(directory, 'tls.crt'), renewed.certificate);
    await eventually(() =>
      expect(lines.join('')).toContain('the former TLS files stay in use: TLS_KEY_FILE'),
    );
    expect((await list()).status).toBe(200);

    // The second certificate of this chain cannot be read.
    const cut = renewed.certificate.replace(/\n.{10}/, '\nAAAAAAAAAA');
    writeTlsFiles(directory, { ...renewed, certificate: `${renewed.certificate}\n${cut}` }, [next]);
    await eventually(() =>
      expect(lines.join('')).toContain('the former TLS files stay in use: TLS_CERT_FILE'),
    );
    // Another authority would be used without the certificate that it signed.
    expect((await list()).status).toBe(200);

    writeTlsFiles(directory, renewed, [authority, next]);
    for (const [name, service] of running()) {
      const urls = name === 'gateway' ? [adminUrl(service)] : [service.url, adminUrl(service)];
      for (const url of urls)
        await eventually(async () => expect(await serialNumberAt(url)).toBe(renewed.serialNumber));
    }
    await eventually(async () => expect((await list()).status).toBe(200));
    const id = await createDecision('Renewed');
    await eventually(() => expect(receiver.requests.map(({ body }) => body.data.id)).toContain(id));
  });
});

describe('a service does not start', () => {
  const start = (env: Record<string, string>) => startDecisions({ ...product.env, PORT: '0', ...env });

  it.each(['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE'])(
    'with a missing or an invalid %s',
    async (name) => {
      const missing = join(directory, 'missing.pem');
      await expect(start({ [name]: missing })).rejects.toThrow(`${name}: ${missing} cannot be used: ENOENT`);
      const invalid = join(directory, 'invalid.pem');
      writeFileSync(invalid, 'nothing');
      await expect(start({ [name]: invalid })).rejects.toThrow(
        new RegExp(`^${name}: ${invalid} cannot be used: .+$`),
      );
    },
  );

  it('with one file of two, or with the key of another certificate', async () => {
    await expect(start({ TLS_KEY_FILE: '' })).rejects.toThrow('set both or neither');
    const { key } = await authority.issue();
    const other = join(directory, 'other.key');
    writeFileSync(other, key);
    await expect(start({ TLS_KEY_FILE: other })).rejects.toThrow(`TLS_KEY_FILE: ${other} is not the key`);
  });
});
