import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

function member(): string {
  const id = newId();
  stack.join(id);
  return id;
}
const mentionOf = (userId: string) => `@[${userId}]`;
const posted = async (body: object) => {
  const { call, path } = stack.decision();
  return { ...(await call('POST', path, { body })), call, path };
};

describe('a mention', () => {
  it('names a member by id, once, and follows the text', async () => {
    const [mira, jonas] = [member(), member()];
    const content = `${mentionOf(mira)} and ${mentionOf(jonas.toUpperCase())}, again ${mentionOf(mira)}`;
    const { body, call, path } = await posted({ content });
    expect(body.message).toMatchObject({ content, mentions: [mira, jonas] });
    const own = `${path}/messages/${body.message.id}`;
    const edited = await call('PATCH', own, { body: { content: `Only ${mentionOf(jonas)}` } });
    expect(edited.body.mentions).toEqual([jonas]);
    expect((await call('PATCH', own, { body: { contentType: 'markdown' } })).body.mentions).toEqual([jonas]);
    expect((await call('DELETE', own)).status).toBe(204);
  });

  it.each(['POST', 'PATCH'])('of somebody who is not a member is refused at %s', async (method) => {
    const { body, call, path } = await posted({ content: 'x' });
    const at = method === 'POST' ? path : `${path}/messages/${body.message.id}`;
    const stranger = newId();
    const refused = await call(method, at, { body: { content: `Hello ${mentionOf(stranger)}` } });
    expect([refused.status, refused.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.issues).toEqual([
      { path: 'content', message: `mentions ${stranger}, who is not a member of the workspace` },
    ]);
  });

  it('of a former member stays when the message is edited', async () => {
    const leaver = member();
    const { body, call, path } = await posted({ content: mentionOf(leaver) });
    stack.leave(leaver);
    const content = `Thanks, ${mentionOf(leaver)}`;
    const edited = await call('PATCH', `${path}/messages/${body.message.id}`, { body: { content } });
    expect(edited.body).toMatchObject({ content, mentions: [leaver] });
    expect((await call('POST', path, { body: { content } })).status).toBe(400);
  });

  it.each([limits.mentions + 1, 10_000])('is one of a limited number: %d are refused', async (length) => {
    const content = Array.from({ length }, () => mentionOf(newId())).join(' ');
    const { status, body } = await posted({ content });
    expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
    const messages = body.issues.map(({ message }: { message: string }) => message);
    expect(messages).toContain(`must mention at most ${limits.mentions} people`);
  });
});

describe('a reply', () => {
  it('names a message of the same thread, and stays when that is deleted', async () => {
    const { body, call, path } = await posted({ content: 'Why?' });
    const { id } = body.message;
    const reply = await call('POST', path, { body: { content: 'Because.', replyTo: id } });
    expect(reply.body.message.reply_to).toBe(id);
    await call('DELETE', `${path}/messages/${id}`);
    expect((await call('GET', path)).body.messages).toEqual([reply.body.message]);
  });

  it('to a message of another thread, or to none, is refused', async () => {
    const other = await posted({ content: 'x' });
    for (const replyTo of [other.body.message.id, newId()]) {
      const { status, body } = await posted({ content: 'Because.', replyTo });
      expect([status, body.issues]).toEqual([
        400,
        [{ path: 'replyTo', message: 'is not a message of this thread' }],
      ]);
    }
  });
});
