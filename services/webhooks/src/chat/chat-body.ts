import { setTimeout } from 'node:timers/promises';
import { type ChatFormat, type EventEnvelope, mentionsIn, type WebhookPayload } from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
import type { WebhooksRuntime } from '../context.ts';
import type { DeliveryRecord } from '../store/index.ts';
import { chatFormats } from './chat-formats.ts';
import { chatMessage, type Data, type Known, subjectOf } from './chat-message.ts';

/** How long a delivery waits for names and titles: its lease ends soon after the attempt. */
const NAMES_TIMEOUT_MS = 1_500;

/** Whether chats show an event. Of changed decisions they show a new status, of messages only mentions. */
export function isForPeople({ type, changes, data }: Pick<EventEnvelope, 'type' | 'changes' | 'data'>) {
  if (type === 'decision.updated') return changes !== null && 'status' in changes;
  if (type === 'thread.message_created') return mentionsIn((data as Data).content ?? '').length > 0;
  return true;
}

/** Returns the function that writes a delivery for a chat, with titles and names of its workspace. */
export function createChatBody({ call, config, log }: Pick<WebhooksRuntime, 'call' | 'config' | 'log'>) {
  const nothing = { titles: {}, workflows: {}, names: new Map() };

  async function find(payload: WebhookPayload): Promise<Pick<Known, 'titles' | 'workflows' | 'names'>> {
    const { workspace_id } = payload;
    const { content, started_by } = payload.data as Data;
    const subject = subjectOf(payload);
    const people = [...mentionsIn(content ?? ''), ...(started_by ? [started_by] : [])];
    const { kind, id } = subject ?? {};
    const isTitled = kind !== undefined && kind !== 'webhook' && !payload.test;
    const [titles, names] = await Promise.all([
      isTitled ? call('findTitles', { body: { workspace_id, records: [{ kind, id: id! }] } }) : nothing,
      membersAmong(call, workspace_id, payload.test ? [] : people),
    ]);
    return { titles: titles.titles, workflows: titles.workflows ?? {}, names };
  }

  return async (format: ChatFormat, { payload: text, who }: Pick<DeliveryRecord, 'payload' | 'who'>) => {
    const payload: WebhookPayload = JSON.parse(text);
    const late = setTimeout(NAMES_TIMEOUT_MS, nothing, { ref: false });
    const found = await Promise.race([find(payload), late]).catch((error) => {
      log.warn({ err: error }, 'a message to a chat without names and titles');
      return nothing;
    });
    const known = { ...found, who, publicUrl: config.publicUrl };
    return JSON.stringify(chatFormats[format](chatMessage(payload, known)));
  };
}
