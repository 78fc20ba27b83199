import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

/** A message on a decision, and callers of its workspace. */
async function posted(body: object = { content: 'Ship it?' }) {
  const { call, path, workspace_id: workspaceId } = stack.decision();
  const { message } = (await call('POST', path, { body })).body;
  const [ada, grace] = [0, 1].map(() => sessionPrincipal({ workspaceId, role: 'member' }));
  const reply = async (replyTo: string) =>
    (await call('POST', path, { body: { content: 'Yes.', replyTo } })).body.message;
  const read = async () => (await call('GET', `${path}/messages/${message.id}`)).body;
  const own = `${path}/messages/${message.id}`;
  return { call, path, message, own, read, reply, ada: ada!, grace: grace!, workspaceId };
}
const about = (id: string, ...types: Parameters<typeof stack.events>[1]) =>
  stack.events(({ subject, type }) => subject.id === id && type !== 'thread.message_created', types);

describe('PUT and DELETE …/messages/{id}/reactions/{emoji}', () => {
  it('add a reaction once per person, and take back only one’s own', async () => {
    const { own, read, message, ada, grace } = await posted();
    const [asAda, asGrace] = [stack.as(ada), stack.as(grace)];
    const heart = `${own}/reactions/heart`;
    const answer = await asAda('PUT', heart);
    expect(answer.body).toEqual({
      ...message,
      reactions: [{ emoji: 'heart', reactor_ids: [ada.user_id] }],
    });
    expect((await asAda('PUT', heart)).body).toEqual(answer.body);
    await asGrace('PUT', heart);
    await asGrace('PUT', `${own}/reactions/thumbs_up`);
    expect((await asAda('DELETE', heart)).status).toBe(204);
    expect((await asAda('DELETE', heart)).status).toBe(204);
    const left = [
      { emoji: 'thumbs_up', reactor_ids: [grace.user_id] },
      { emoji: 'heart', reactor_ids: [grace.user_id] },
    ];
    expect(await read()).toEqual({ ...message, reactions: left });
    const [added, ...others] = await about(
      message.id,
      ...(['thread.reaction_added', 'thread.reaction_added', 'thread.reaction_added'] as const),
      'thread.reaction_removed',
    );
    const { id, thread_id, node_id, decision_id } = message;
    const place = { id, thread_id, node_id, decision_id };
    expect(added).toMatchObject({
      action: 'thread.message_react',
      subject: { type: 'message', version: 2 },
      data: { ...place, emoji: 'heart', reactor_id: ada.user_id },
      changes: { heart: { before: false, after: true } },
    });
    expect(others[2]).toMatchObject({ action: 'thread.message_unreact', subject: { version: 5 } });
  });

  it('are of the user or the service account to which a key belongs, and leave the text alone', async () => {
    const { own, ada, workspaceId } = await posted();
    const key = keyPrincipal({ workspace_id: workspaceId, user_id: ada.user_id });
    await stack.as(ada)('PUT', `${own}/reactions/eyes`);
    const { body } = await stack.as(key)('PUT', `${own}/reactions/eyes`);
    expect(body).toMatchObject({ reactions: [{ reactor_ids: [ada.user_id] }], edited_at: null });
  });

  it('keep every reaction of people who react at the same time as an edit', async () => {
    const { call, own, workspaceId, read } = await posted();
    const people = Array.from({ length: 5 }, () => sessionPrincipal({ workspaceId, role: 'member' }));
    const edit = call('PATCH', own, { body: { content: 'Ship it now?' } });
    await Promise.all([edit, ...people.map((one) => stack.as(one)('PUT', `${own}/reactions/tada`))]);
    const { content, reactions } = await read();
    expect(content).toBe('Ship it now?');
    expect(reactions[0].reactor_ids.toSorted()).toEqual(people.map((one) => one.user_id).toSorted());
  });

  it('refuse an unknown emoji, a missing message, and more reactions than a message can have', async () => {
    const { path, own, message, ada } = await posted();
    const call = stack.as(ada);
    const unknown = await call('PUT', `${own}/reactions/rocket`);
    expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, 'emoji']);
    expect((await call('PUT', `${path}/messages/${newId()}/reactions/eyes`)).body.error).toBe('NOT_FOUND');
    const reactor_ids = Array.from({ length: limits.reactionsPerMessage }, newId);
    const reactions = [{ emoji: 'eyes', reactor_ids }];
    await stack.collection('messages').updateOne({ _id: message.id }, { $set: { reactions } });
    const full = await call('PUT', `${own}/reactions/heart`);
    expect([full.status, full.body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
  });
});

describe('PUT and DELETE …/messages/{id}/resolution', () => {
  it('resolve a conversation and reopen it, once each', async () => {
    const { own, message, read, ada } = await posted();
    const call = stack.as(ada);
    const { body } = await call('PUT', `${own}/resolution`);
    const by = { type: 'session', id: ada.user_id, name: expect.any(String) };
    expect(body).toEqual({ ...message, resolved_at: expect.any(String), resolved_by: by });
    expect((await call('PUT', `${own}/resolution`)).body).toEqual(body);
    for (let i = 0; i < 2; i += 1) expect((await call('DELETE', `${own}/resolution`)).status).toBe(204);
    expect(await read()).toEqual(message);
    const events = await about(message.id, 'thread.message_resolved', 'thread.message_reopened');
    expect(events).toMatchObject([
      { action: 'thread.message_resolve', data: body },
      { action: 'thread.message_reopen', data: message, subject: { version: 3 } },
    ]);
  });

  it('are for the message that begins a conversation, which a reply anywhere below reopens', async () => {
    const { call, path, own, message, read, reply } = await posted();
    const answer = await reply((await reply(message.id)).id);
    const below = `${path}/messages/${answer.id}/resolution`;
    const refused = await call('PUT', below);
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain(message.id);
    await call('PUT', `${own}/resolution`);
    await call('POST', path, { body: { content: 'Something else' } });
    expect((await read()).resolved_at).not.toBeNull();
    await reply(answer.id);
    expect((await read()).resolved_at).toBeNull();
    const [, reopened] = await about(message.id, 'thread.message_resolved', 'thread.message_reopened');
    expect(reopened).toMatchObject({ action: 'thread.message_reopen' });

    await call('PUT', `${own}/resolution`);
    const newest = async () => (await call('GET', `${path}?sort=-created_at&limit=3`)).body;
    const { messages, resolved_replies } = await newest();
    expect(messages[1].content).toBe('Something else');
    // The page has neither the message that begins the conversation nor all replies between.
    expect(resolved_replies).toEqual({ [messages[0].id]: message.id, [messages[2].id]: message.id });
    await call('DELETE', `${path}/messages/${answer.reply_to}`);
    expect((await newest()).resolved_replies).toEqual({});
    // The conversation of the deleted reply goes on without it.
    expect((await call('PUT', below)).status).toBe(200);
  });
});

it('a page finds the message that begins a conversation in one read, however far above it is', async () => {
  const { call, path, own, message, reply } = await posted();
  let last = message.id;
  for (let i = 0; i < 5; i += 1) last = (await reply(last)).id;
  await call('PUT', `${own}/resolution`);
  const database = stack.client().db(stack.collection('messages').dbName);
  await database.command({ profile: 2 });
  const { resolved_replies } = (await call('GET', `${path}?sort=-created_at&limit=1`)).body;
  await database.command({ profile: 0 });
  expect(resolved_replies).toEqual({ [last]: message.id });
  const reads = database.collection('system.profile').find({ ns: `${database.databaseName}.messages` });
  expect((await reads.toArray()).map(({ command }) => Object.keys(command)[0])).toEqual([
    'find',
    'aggregate',
  ]);
});

it('an older message has neither reactions nor a resolution', async () => {
  const { message, read } = await posted();
  const removed = { reactions: true, resolved_at: true, resolved_by: true } as const;
  await stack.collection('messages').updateOne({ _id: message.id }, { $unset: removed });
  expect(await read()).toEqual(message);
});
