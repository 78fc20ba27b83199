import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type EventType,
  events,
  type SubscribableEventType,
  subscribableEventTypes,
} from '@waymark/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleData } from '../src/endpoints/event-types.ts';
import { startWebhookStack, type WebhookStack } from './webhook-stack.ts';

let stack: WebhookStack;

beforeAll(async () => {
  stack = await startWebhookStack();
});
afterAll(() => stack.stop());

describe('GET /webhooks/event-types', () => {
  it('lists every event that may be subscribed to, and ping, with a JSON Schema that compiles', async () => {
    const workspace = stack.workspace();
    const { status, body } = await workspace.call('GET', `/webhooks/event-types?workspaceId=${workspace.id}`);
    expect(status).toBe(200);
    const listed = body.data as { type: string; summary: string; subscribable: boolean; schema: object }[];
    const subscribable = listed.filter((one) => one.subscribable).map(({ type }) => type);
    expect(subscribable.sort()).toEqual([...subscribableEventTypes].sort());
    expect(listed.filter((one) => !one.subscribable).map(({ type }) => type)).toEqual(['ping']);
    for (const type of [
      'decision.created',
      'decision.outcome_logged',
      'workspace.member_added',
      'workspace.member_removed',
      'billing.plan_changed',
    ]) {
      expect(subscribable).toContain(type);
    }
    for (const { type, summary, schema } of listed) {
      expect(summary).toBe(
        type === 'ping' ? 'A test that someone asked for' : events[type as EventType].summary,
      );
      const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      if (type !== 'ping')
        expect([type, isValid(exampleData(type as SubscribableEventType))]).toEqual([type, true]);
    }
  });
});
