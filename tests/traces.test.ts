import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { eventually, startStack, startWebhookReceiver } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';

interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const CANARY = 'canary-5f4dcc3b5aa765d6';
const spans: ReceivedSpan[] = [];
const texts: string[] = [];
const authorizations = new Set<string | undefined>();

/** Accepts OTLP over HTTP like a collector. */
const collector = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    texts.push(text);
    authorizations.add(request.headers.authorization);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
      const service = named.value.stringValue;
      for (const scope of scopeSpans)
        spans.push(...scope.spans.map((span: object) => ({ ...span, service }) as ReceivedSpan));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const product = await startProduct({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
});
const receiver = await startWebhookReceiver();
afterAll(async () => {
  await product.stop();
  await receiver.stop();
  collector.closeAllConnections();
  collector.close();
});

describe('traces', () => {
  it('connect the gateway, the service, NATS and the webhook attempt, and contain no secret', async () => {
    const owner = await product.workspace();
    const { workspaceId, cookie } = owner;
    const webhook = await product.call('POST', '/webhooks', {
      cookie,
      headers: { origin: product.url },
      body: { workspaceId, url: `${receiver.url}/${CANARY}?q=${CANARY}`, events: ['decision.created'] },
    });
    expect(webhook.status).toBe(201);
    const theirs = '4bf92f3577b34da6a3ce929d0e0e4736';
    const created = await product.call('POST', `/decisions?workspaceId=${workspaceId}`, {
      key: owner.key,
      headers: { traceparent: `00-${theirs}-00f067aa0ba902b7-01`, 'idempotency-key': CANARY },
      body: { title: CANARY, description: CANARY },
    });
    expect(created.status).toBe(201);
    await product.call('GET', `/search?workspaceId=${workspaceId}&q=${CANARY}`, { key: owner.key });

    const [root, service, consumer, attempt] = await eventually(() => {
      const traceId = spans.find(
        ({ service: of, name }) => of === 'waymark-gateway' && name === 'createDecision',
      )?.traceId;
      const only = (of: string, name: string) => {
        const found = spans.filter(
          (span) => span.traceId === traceId && span.service === `waymark-${of}` && span.name === name,
        );
        expect(found).toHaveLength(1);
        return found[0]!;
      };
      return [
        only('gateway', 'createDecision'),
        only('decisions', 'createDecision'),
        only('webhooks', 'webhooks decision.created'),
        only('webhooks', 'webhook attempt'),
      ] as const;
    });
    expect(root.parentSpanId ?? '').toBe('');
    expect(root.traceId).not.toBe(theirs);
    expect(service.parentSpanId).toBe(root.spanId);
    expect(consumer.parentSpanId).toBe(service.spanId);
    expect(attempt.parentSpanId).toBe(consumer.spanId);
    const attributes = Object.fromEntries(attempt.attributes.map(({ key, value }) => [key, value]));
    expect(attributes).toMatchObject({
      'waymark.webhook_id': { stringValue: webhook.body.id },
      'waymark.verdict': { stringValue: 'delivered' },
      'http.response.status_code': { intValue: 200 },
    });

    await eventually(() =>
      spans.some(({ service: of, name }) => of === 'waymark-search' && name === 'search'),
    );
    const all = texts.join('\n');
    for (const secret of [CANARY, owner.key, cookie.split('=')[1]!, owner.password, webhook.body.secret]) {
      expect(all.includes(secret)).toBe(false);
    }
    expect([...authorizations]).toEqual(['Bearer of-the-collector']);
    expect(receiver.requests[0]!.headers).not.toHaveProperty('traceparent');
    expect(receiver.requests[0]!.rawBody.toString()).not.toContain(root.traceId);
  });
});

describe('without a collector', () => {
  it('there is no trace, and a client cannot start one', async () => {
    const services = { accounts: startAccounts, decisions: startDecisions, gateway: startGateway };
    const plain = await startStack(services);
    const mongo = new MongoClient(String(plain.env['MONGODB_URL']));
    try {
      const { workspaceId, key } = await plain.workspace();
      const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
      const query = { workspaceId };
      await plain.call('POST', '/decisions', { key, headers, query, body: { title: 'Untraced' } });
      const outbox = mongo.db(`${plain.env['NATS_PREFIX']}_decisions`).collection('outbox');
      expect(await outbox.countDocuments({ workspace_id: workspaceId, type: { $exists: true } })).toBe(1);
      expect(await outbox.countDocuments({ traceparent: { $exists: true } })).toBe(0);
    } finally {
      await mongo.close();
      await plain.stop();
    }
  });
});
