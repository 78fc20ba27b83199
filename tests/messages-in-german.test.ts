import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const ROOT = join(import.meta.dirname, '..');
const SERVICES = '{accounts,decisions,notifications,search,threads,transfer,webhooks,workflows}';
const SOURCES = [`services/${SERVICES}/src/**/*.ts`, 'libs/contracts/src/{schema,resources,views}/*.ts'];
/** A text in the place of a message. */
const MESSAGE =
  /(?:\binvalid\([^,()]+,|\bmessage:|\bmessage =|\b(?:conflict|exceeded|forbidden)\(|\.(?:issue|warn)\([^,]+,)\s*(?:[^'`;]{0,80}\?\s*)?(?:'([^'\n]+)'|`([^`\n]+)`)/g;

/** Messages to programs, to operators and in logs, and of operations that the console does not call. */
const FOR_PROGRAMS: readonly string[] = [
  '7 7 views, the maximum; delete one first.',
  '7 more by any 7 needed',
  '7, from any 77.',
  '7: 7',
  'A key that expires or has a list of addresses may neither invite anybody nor raise a role; sign in.',
  'A program renews its own access.',
  'A workflow has at most 7 7; this graph has 7.',
  'Deletions are kept for 7 days. Read all decisions again.',
  'Only a person in a session may let a key change settings; sign in.',
  'The app shows another code. Check the clock of the device, and try the next code.',
  'The passkey was not created: its answer is not valid, was used, or came too late. Try again.',
  'This API key may no longer change settings; run waymark login, or sign in.',
  'This API key may only make a key that 7.',
  'This calendar feed does not exist or is no longer valid. Make a new one.',
  'This installation does not offer single sign-on.',
  'This set-up is not valid or took more than ten minutes. Start again.',
  'Too many 7; wait for the seconds given in Retry-After.',
  'You cannot keep your own keys when you leave; ask an admin to remove you and keep them.',
  'a message to a chat without names and titles',
  'an attempt was not counted: its lease had ended',
  'can only be read, because 7 is a 7',
  'has expired',
  'has malformed percent-encoding; encode it as UTF-8',
  'is also the id of an earlier node',
  'is for a key of your own with the scope write',
  'is given more than once; send it once',
  'is not a cursor of a search',
  'is not a filter of this list',
  'is not a member who is at least 7',
  'is not an address that the program has registered',
  'is not the MCP server here',
  'is not the workflow of this node, which is 7',
  'is revoked',
  'is sent as 7 and as 7 with different values; send one of them',
  'leases on endpoints were not released; other replicas wait for their end',
  'leases on waiting deliveries were not released; they end soon',
  'names no program whose metadata can be read; register the program',
  'no user has the email or id 7',
  'of this node is 7, and cannot change',
  'outcomeConfidence 7; leave it out or send it unchanged.',
  'role 7.',
  'the identity provider does not answer',
  'the only owner of 7: give them another owner, or delete them, first',
  'the secret of a webhook cannot be decrypted; its deliveries wait',
  'was replaced by 7',
  'workspace deletion interrupted; retrying later',
];

it('a message in the code is German in the German console, or for programs', () => {
  const files = SOURCES.flatMap((glob) => globSync(glob, { cwd: ROOT }));
  const texts = files
    .filter((file) => !/\.test\.ts$|operator\.ts$|config\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(MESSAGE)])
    .map(([, plain, template = '']) => plain ?? template.replaceAll(/\$\{[^}]+\}/g, '7'));
  expect(texts.length).toBeGreaterThan(150);
  expect(inEnglish(texts).filter((text) => !FOR_PROGRAMS.includes(text))).toEqual([]);
});
