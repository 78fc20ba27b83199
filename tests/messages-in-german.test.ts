import { expect, it } from '@jest/globals';
import {
  type ApiError,
  ApprovalCreate,
  ApprovalRulesPut,
  DecisionCreate,
  type ErrorCode,
  errorOf,
  InvitationCreate,
  newId,
  SignUp,
} from '@waymark/contracts';
import { problem } from '../apps/console/src/texts/de/problem.ts';
import { checkNewPassword } from '../services/accounts/src/credentials/password-rules.ts';
import { unfitMembers } from '../services/decisions/src/approvals/approval-rules.ts';
import { approvalRequired } from '../services/decisions/src/approvals/check-approvals.ts';
import { targetFault } from '../services/webhooks/src/endpoints/target.ts';

const roles = ['member', 'admin', 'owner'] as const;
const inEnglish = (messages: string[]) => messages.filter((message) => problem.ofApi(message) === message);

it('what the API says of a field that a person fills in is German in the German console', () => {
  const bodies = [
    DecisionCreate.safeParse({}),
    DecisionCreate.safeParse({ title: ' ', outcomeConfidence: 2, reviewEveryMonths: 0, expectedBy: 'x' }),
    DecisionCreate.safeParse({ title: 'x'.repeat(10_000), outcomeConfidence: 'high', status: 'open' }),
    SignUp.safeParse({ name: '', email: 'ada', password: 'short' }),
    InvitationCreate.safeParse({ email: 'ada', role: 'king' }),
    ApprovalRulesPut.safeParse({ rules: [{ approvals: 2, members: [newId()] }, { approvals: 1 }] }),
    ApprovalCreate.safeParse({ verdict: 'object', contentSha256: 'a'.repeat(64) }),
  ];
  const messages = bodies.flatMap(({ error }) => error!.issues.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(10);
  expect(inEnglish(messages)).toEqual([]);
});

it('the rules of passwords, webhook addresses and approvals are German in the German console', async () => {
  const ada = { email: 'ada.lovelace@example.com', name: 'Ada' };
  const passwords = ['aaaaaaaaaaaaaaaa', 'ada.lovelace1234', 'Mailcreated5240'];
  const refused = await Promise.all(
    passwords.map((one) => checkNewPassword('password', one, ada).catch((error) => error)),
  );
  const urls = ['x', 'ftp://a.example', 'http://a.example', 'https://a:b@a.example', 'https://10.0.0.1'];
  const faults = [...urls, 'https://localhost', 'https://a.example:25'].flatMap((url) =>
    [true, false].map((allowLoopback) => targetFault(url, { allowLoopback, ports: [443], allowed: [] })),
  );
  const member = { id: newId(), name: 'Aiko' };
  const rule = { approvals: 1, decision_type: null, mode: 'enforced', author_counts: true } as const;
  const lacking = roles.flatMap((role) => [
    approvalRequired({ approvals: 2, role, members: [] }, { ...rule, members: [] }),
    approvalRequired({ approvals: 1, role, members: [member] }, { ...rule, members: [member.id] }),
    approvalRequired({ approvals: 1, role, members: [] }, { ...rule, members: [member.id] }),
  ]);
  const unfit = roles.flatMap((role) => unfitMembers([{ ...rule, role, members: [member.id] }], new Map()));
  const messages = [...refused, ...lacking].flatMap(({ message, details: { issues } }: ApiError) =>
    issues?.length ? issues.map((one) => one.message) : message,
  );
  messages.push(...faults.filter((fault) => fault !== null), ...unfit.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(25);
  expect(inEnglish(messages)).toEqual([]);
});

it('the message that an error has by default is German in the German console', () => {
  // The console has a sentence of its own for a session that has ended.
  const codes = Object.keys(problem.titles).filter((code) => code !== 'UNAUTHORIZED') as ErrorCode[];
  const messages = codes.map((code) => errorOf(code).message);
  expect(inEnglish(messages)).toEqual([]);
});
