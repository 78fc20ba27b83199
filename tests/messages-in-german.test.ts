import { expect, it } from '@jest/globals';
import { DecisionCreate, type ErrorCode, errorOf, InvitationCreate, SignUp } from '@waymark/contracts';
import { problem } from '../apps/console/src/texts/de/problem.ts';

it('what the API says of a field that a person fills in is German in the German console', () => {
  const bodies = [
    DecisionCreate.safeParse({}),
    DecisionCreate.safeParse({ title: ' ', outcomeConfidence: 2, reviewEveryMonths: 0, expectedBy: 'x' }),
    DecisionCreate.safeParse({ title: 'x'.repeat(10_000), outcomeConfidence: 'high', status: 'open' }),
    SignUp.safeParse({ name: '', email: 'ada', password: 'short' }),
    InvitationCreate.safeParse({ email: 'ada', role: 'king' }),
  ];
  const messages = bodies.flatMap(({ error }) => error!.issues.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((message) => problem.rule(message) === message)).toEqual([]);
});

it('the message that an error has by default is German in the German console', () => {
  // The console has a sentence of its own for a session that has ended.
  const codes = Object.keys(problem.titles).filter((code) => code !== 'UNAUTHORIZED') as ErrorCode[];
  const messages = codes.map((code) => errorOf(code).message);
  expect(messages.filter((message) => problem.rule(message) === message)).toEqual([]);
});
