import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { eventually, keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

it('refuses alone who has lost its key while decisions that are stored together waited', async () => {
  const [caller, other, unanswered] = [keyPrincipal(), keyPrincipal(), keyPrincipal()];
  const decisions = suite.collection('decisions');
  const { client } = suite.one.database;
  const session = client.startSession();
  session.startTransaction();
  await decisions.insertOne({ _id: newId() }, { session });
  // Waits for the transaction, and all that is stored later waits for it.
  const index = decisions.createIndex({ unused: 1 });
  const waiting = {
    waitingForLock: true,
    'command.createIndexes': 'decisions',
    'command.$db': decisions.dbName,
  };
  try {
    await eventually(async () => {
      const { inprog } = await client.db('admin').command({ currentOp: 1, ...waiting });
      expect(inprog).toHaveLength(1);
    });
    suite.ended.add(caller.user_id);
    suite.silent.set(unanswered.user_id, 'waits');
    const posts = [caller, caller, other, unanswered].map((by) => suite.post(by, { title: 'A choice' }));
    const refused = await Promise.all(posts.slice(0, 2));
    await session.abortTransaction();
    const stored = await Promise.all(posts.slice(2));
    expect([...refused, ...stored].map(({ status }) => status)).toEqual([401, 401, 201, 201]);
    expect(suite.silent.get(unanswered.user_id)).toBe('waits');
  } finally {
    await session.endSession();
    await index;
    await decisions.dropIndex('unused_1');
  }
});

describe('POST /decisions', () => {
  it('stores the formal shape with defaults for omitted fields', async () => {
    const key = keyPrincipal();
    const answer = await suite.post(key, {
      title: 'A choice',
      description: 'As specified',
      status: 'accepted',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['etag']).toBe('"v1"');
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspace_id: key.workspace_id,
      title: 'A choice',
      question: null,
      description: 'As specified',
      status: 'accepted',
      resolution: null,
      rationale: null,
      options_considered: [],
      criteria: [],
      decision_type: null,
      tags: [],
      external_id: null,
      expected_by: null,
      decided_by: null,
      review_by: null,
      review_every_months: null,
      last_review: null,
      deciders: [],
      consulted: [],
      informed: [],
      outcome: 'pending',
      outcome_notes: null,
      outcome_confidence: null,
      outcome_confidence_kind: null,
      supersedes: null,
      relates_to: [],
      quality_model: 'dq-1',
      quality_score: 3,
      version: 1,
      created_by: key.key_id,
      created_by_person: key.user_id,
      imported_by: null,
      created_at: new Date(suite.clock.nowMs).toISOString(),
      updated_at: new Date(suite.clock.nowMs).toISOString(),
    });
    const { id, ...rest } = answer.body;
    expect(await suite.collection('decisions').findOne({ _id: id })).toMatchObject({ _id: id, ...rest });
  });

  it('stores the prose shape in both spellings, with the workspace in the body', async () => {
    const key = keyPrincipal();
    const body = {
      workspaceId: key.workspace_id,
      question: 'Which shape do we take?',
      resolution: 'prose',
      rationale: 'It says more than the formal one',
      optionsConsidered: ['formal', { title: 'prose', pros: ['clear'] }],
      decision_type: 'process',
      tags: ['spec', 'äöü'],
      expected_by: '2027-01-31',
      outcomeConfidence: 0.7,
    };
    const answer = await suite.call(key, 'POST', '/decisions', { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      title: 'Which shape do we take?',
      question: 'Which shape do we take?',
      options_considered: ['formal', { title: 'prose', pros: ['clear'], cons: [] }],
      decision_type: 'process',
      tags: ['spec', 'äöü'],
      expected_by: '2027-01-31T23:59:59.999Z',
      outcome: 'pending',
      outcome_confidence: 0.7,
      outcome_confidence_kind: 'forecast',
    });
    const read = await suite.get(key, `/decisions/${answer.body.id}`);
    expect(read.body).toEqual(answer.body);
  });

  it('emits only decision.created, with the audit action, after the commit', async () => {
    const session = sessionPrincipal();
    const decision = await suite.create(session);
    expect(decision.created_by).toBe(session.user_id);
    const [event] = await suite.eventsAbout(decision.id, ['decision.created']);
    expect(event).toMatchObject({
      workspace_id: decision.workspace_id,
      action: 'decision.create',
      actor: { type: 'session', id: session.user_id, name: session.user_name },
      subject: { type: 'decision', id: decision.id, version: 1 },
      data: decision,
    });
  });

  it('stores an outcome of the request and emits an event without an action', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, {
      title: 'Quickstart',
      outcome: 'success',
      outcomeConfidence: 0.9,
    });
    expect(decision).toMatchObject({ outcome: 'success', outcome_confidence_kind: 'retrospective' });
    const events = await suite.eventsAbout(decision.id, ['decision.created', 'decision.outcome_logged']);
    expect(events.map(({ action }) => action)).toEqual(['decision.create', null]);
    expect(events[1]!.data).toEqual({
      decision,
      outcome: expect.objectContaining({
        decision_id: decision.id,
        outcome: 'success',
        confidence: 0.9,
        confidence_kind: 'retrospective',
        logged_by: key.key_id,
      }),
    });
  });

  it('treats an explicit pending as no outcome', async () => {
    const key = keyPrincipal();
    const body = { title: 'Wait', outcome: 'pending', outcomeNotes: 'soon', outcomeConfidence: 0.4 };
    const decision = await suite.create(key, body);
    expect(decision).toMatchObject({ outcome_confidence_kind: 'forecast', outcome_notes: 'soon' });
    expect((await suite.get(key, `/decisions/${decision.id}/outcomes`)).body.data).toEqual([]);
  });

  it('keeps text byte for byte', async () => {
    const title = '  e\u0301 é \u200d👩‍👩‍👧 <b>&amp;</b> $where .dot {"$gt":""} \\u0000 ';
    const decision = await suite.create(keyPrincipal(), { title, tags: ['$a.b', '__proto__'] });
    expect(decision).toMatchObject({ title, tags: ['$a.b', '__proto__'] });
  });

  it.each<[string, string, unknown]>([
    ['title', 'neither title nor question', { description: 'nothing else' }],
    ['title', 'an empty title', { title: '' }],
    ['title', 'a long title', { title: 'x'.repeat(301) }],
    ['title', 'a title of another type', { title: 7 }],
    ['title', 'NUL', { title: 'a\0b' }],
    ['title', 'a lone surrogate', { title: 'a\ud800b' }],
    ['question', 'an empty question', { question: '' }],
    ['status', 'archived', { title: 'T', status: 'archived' }],
    ['status', 'an unknown status', { title: 'T', status: 'done' }],
    ['outcome', 'an unknown outcome', { title: 'T', outcome: 'great' }],
    ['outcomeConfidence', 'too much confidence', { title: 'T', outcomeConfidence: 1.01 }],
    ['outcomeConfidence', 'confidence as text', { title: 'T', outcomeConfidence: '0.5' }],
    ['expectedBy', 'an invalid date', { title: 'T', expectedBy: '2026-02-30' }],
    ['expectedBy', 'a year of five digits', { title: 'T', expectedBy: '9999-12-31T23:59:59-23:00' }],
    ['tags', 'a tag twice', { title: 'T', tags: ['a', 'a'] }],
    ['tags', 'too many tags', { title: 'T', tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
    ['tags', 'tags as an object', { title: 'T', tags: { length: 1 } }],
    ['optionsConsidered.0', 'an option of another shape', { title: 'T', optionsConsidered: [{ name: 'A' }] }],
    ['supersedes', 'a link that is no id', { title: 'T', supersedes: 'x' }],
    ['supersedes', 'a link to nothing', { title: 'T', supersedes: newId() }],
    ['titel', 'an unknown field', { title: 'T', titel: 'T' }],
    ['id', 'a field of the server', { title: 'T', id: newId() }],
    ['creator', 'a field of the store', { title: 'T', creator: {} }],
    ['decisionType', 'two spellings that differ', { title: 'T', decisionType: 'a', decision_type: 'b' }],
    ['', 'an array', []],
    ['', 'a number', 7],
  ])('refuses, naming %s: %s', async (path, _, body) => {
    const key = keyPrincipal();
    const answer = await suite.post(key, body);
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues.map((issue: { path: string }) => issue.path).join()).toContain(path);
    expect(await suite.count(key, 'decisions')).toBe(0);
  });

  it.each([
    ['__proto__ in an option', '{"title":"T","optionsConsidered":[{"title":"A","__proto__":{"x":1}}]}'],
    ['deep nesting that is closed', `{"title":"T","tags":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['a huge number', '{"title":"T","outcomeConfidence":1e400}'],
    ['a field twice with two types', '{"title":"T","title":7}'],
  ])('answers 400 to %s', async (_, rawBody) => {
    expect((await suite.post(keyPrincipal(), undefined, { rawBody })).status).toBe(400);
  });

  it('refuses a body whose fields are within their limits but too large together', async () => {
    const long = '€'.repeat(limits.textCharacters);
    const body = { title: 'T', description: long, rationale: long, resolution: long, outcomeNotes: long };
    const answer = await suite.post(keyPrincipal(), body);
    expect([answer.status, answer.body.issues[0].message]).toEqual([400, expect.stringContaining('204800')]);
    const { outcomeNotes: _, ...fits } = body;
    expect((await suite.post(keyPrincipal(), fits)).status).toBe(201);
  });
});

describe('POST /decisions, concurrent', () => {
  const times = Array.from({ length: 40 }, (_, i) => i);

  it('stores each decision once with its event, in any grouping into transactions', async () => {
    const key = keyPrincipal();
    const bodies = times.map((i) => ({ title: `Choice ${i}`, outcome: 'success' }));
    const answers = await Promise.all(bodies.map((body) => suite.post(key, body)));
    expect(answers.map(({ status, body }) => [status, body.title])).toEqual(
      bodies.map(({ title }) => [201, title]),
    );
    const ids = answers.map(({ body }) => body.id).sort();
    const owned = (name: string) =>
      suite.one.database.collection(name).find({ workspace_id: key.workspace_id }).toArray();
    expect((await owned('decisions')).map(({ _id }) => _id).sort()).toEqual(ids);
    expect((await owned('outcomes')).map((outcome) => outcome['decision_id']).sort()).toEqual(ids);
    const events = (await owned('outbox')).map(({ payload }) => JSON.parse(payload));
    expect(events.map(({ type, subject }) => [type, subject.id]).sort()).toEqual(
      ['decision.created', 'decision.outcome_logged'].flatMap((type) => ids.map((id) => [type, id])),
    );
  });

  it('refuses only the decision that cannot be stored', async () => {
    const key = keyPrincipal();
    const headers = { 'idempotency-key': newId() };
    const others = times.map((i) => suite.post(key, { title: `Other ${i}` }));
    const twins = ['One', 'Two'].map((title) => suite.post(key, { title }, { headers }));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 201));
    const [status, refused] = (await Promise.all(twins)).map((answer) => answer.status).sort();
    expect(status).toBe(201);
    // The first request may or may not have finished when the second is checked.
    expect([409, 422]).toContain(refused);
    expect(await suite.count(key, 'decisions')).toBe(times.length + 1);
  });
});
