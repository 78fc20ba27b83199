import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { eventually, patience, testFolder } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { run } from '../../apps/cli/test/run.ts';
import { callTool, mcpClients } from '../support/mcp-client.ts';
import { downloaded, useConsole } from './support/index.ts';

const app = useConsole();
const clients = mcpClients();
const folder = testFolder();
afterAll(() => clients.close());

/** Dates that have come are looked for every half minute. */
const DUE_MS = patience(60_000);
const inbox = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Inbox, / });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

it('three members and an agent discuss a decision, stand behind its text, and prove it offline', async () => {
  const ada = await app.signUp('Ada Lovelace');
  const grace = await ada.addMember('member', 'Grace Hopper');
  const alan = await ada.addMember('member', 'Alan Turing');
  const rule = { approvals: 2, members: [grace.userId, alan.userId], mode: 'enforced' };
  await ada.call('PUT', '/approval-rules', { rules: [rule] });
  const { id: serviceAccountId } = await ada.call('POST', '/service-accounts', {
    ...{ name: 'Surveyor', role: 'member' },
  });
  const { key, call: callAsAgent } = await ada.createKey({ serviceAccountId });
  // Nine earlier ones: with fewer than ten, no calibration is shown.
  for (let n = 1; n <= 9; n += 1) {
    const earlier = await ada.decide(`Paint buoy ${n}`, { outcomeConfidence: 0.35 });
    await callAsAgent('PUT', `/decisions/${earlier}/forecast`, { probability: 0.25 });
    await ada.call('PATCH', `/decisions/${earlier}`, { outcome: 'failure' });
  }
  const id = await ada.decide('Move the lighthouse', {
    rationale: 'The sandbank grows.',
    outcomeConfidence: 0.75,
  });
  const path = `decisions/${id}`;
  const agent = await clients.connectTo(app.product.url, { authorization: `Bearer ${key}` });
  const [adas, graces, alans] = [await ada.open(path), await grace.open('decisions'), await alan.open(path)];

  // Ada asks, Grace is told and answers, and the agent comments. Both forecast.
  const discussion = region(adas, 'Discussion');
  await discussion.getByRole('button', { name: 'Write a message' }).click();
  await discussion.getByLabel('New message').pressSequentially('Is the cape better, @gra');
  await adas.getByRole('option', { name: 'Grace Hopper' }).waitFor();
  await adas.keyboard.press('Enter');
  await adas.keyboard.press('Control+Enter');
  await inbox(graces).click();
  await graces.getByRole('list', { name: 'Inbox' }).getByRole('link').first().click();
  await graces.waitForURL(`**/${path}*`);
  await region(graces, 'Discussion').getByRole('button', { name: 'Reply' }).click();
  await region(graces, 'Discussion').getByLabel('New message').fill('It stands on rock.');
  await graces.keyboard.press('Control+Enter');
  const comment = await callTool(agent, 'comment_on_decision', {
    decisionId: id,
    content: 'Of four moved towers, three stand.',
  });
  expect(comment).toMatchObject({ isError: false });
  const forecast = await callTool(agent, 'give_forecast', { id, probability: 0.75 });
  expect(forecast).toMatchObject({ isError: false, forecaster: { name: 'Surveyor' } });
  await region(graces, 'Forecasts').getByRole('button', { name: 'Give your forecast' }).click();
  await graces.getByLabel('Chance of success, in percent').fill('80');
  await graces.getByRole('button', { name: 'Save the forecast' }).click();
  for (const said of ['Surveyor: 75%', 'Grace Hopper: 80%'])
    await region(adas, 'Forecasts').getByText(said).waitFor();
  for (const said of ['It stands on rock.', 'Of four moved towers'])
    await discussion.getByText(said).waitFor();

  // They approve. The agent changes the text, which voids it; both are asked again, and Alan is reminded.
  const readAll = async (page: Page, { call }: Pick<typeof grace, 'call'>) => {
    await inbox(page).waitFor();
    await call('POST', '/notifications/read', {});
    await inbox(page).waitFor({ state: 'detached' });
  };
  const ask = async (answered?: string) => {
    await region(adas, 'Approvals').getByRole('button', { name: 'Ask for approval' }).click();
    const dialog = adas.getByRole('dialog', { name: 'Ask for approval' });
    if (answered) await dialog.getByLabel(answered).uncheck();
    await dialog.getByRole('button', { name: 'Ask for approval' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await ask();
  await region(adas, 'Approvals').getByText('Asked: ').waitFor();
  const approve = (page: Page) =>
    region(page, 'Approvals').getByRole('button', { name: 'Approve', exact: true }).click();
  await Promise.all([approve(graces), approve(alans)]);
  const complete = region(adas, 'Approvals').getByText('All approvals that the workspace asks for');
  await complete.waitFor();
  const { content_sha256: contentSha256 } = await ada.call('GET', `/decisions/${id}/approvals`);
  const body = { verdict: 'approve', contentSha256 };
  const byKey = await app.product.call('POST', `/decisions/${id}/approvals`, { key, body });
  expect(byKey.status).toBe(403);
  const members = [
    { page: graces, person: grace },
    { page: alans, person: alan },
  ];
  for (const { page, person } of members) await readAll(page, person);
  await callTool(agent, 'update_decision', { id, title: 'Move the lighthouse to the cape' });
  await complete.waitFor({ state: 'detached' });
  await adas.getByRole('button', { name: 'Accept' }).click();
  await adas.getByText('Approvals of this text are missing').waitFor();
  for (const { page, person } of members) await readAll(page, person);
  await ask();
  for (const { page, person } of members) {
    await region(page, 'Approvals').getByText('a change has voided it').first().waitFor();
    await readAll(page, person);
  }
  await approve(graces);
  await region(adas, 'Approvals').getByText('Grace Hopper approved').waitFor();
  await ask('Grace Hopper');
  // The page names whom it still waits for; the inbox tells of one text once a day.
  await region(adas, 'Approvals').getByText('Asked: Alan Turing,').waitFor();
  await approve(alans);
  await complete.waitFor();
  await adas.getByRole('button', { name: 'Accept' }).click();
  await adas.getByText('The decision is accepted').waitFor();

  // When the outcome is due, Ada is reminded. She logs it, and Insight compares it with the forecasts.
  await ada.call('PATCH', `/decisions/${id}`, { expectedBy: new Date(Date.now() + 1_000).toISOString() });
  await adas
    .getByRole('banner')
    .getByRole('link', { name: /^Inbox/ })
    .click();
  const due = adas.getByRole('listitem').filter({ hasText: 'The outcome of a decision is due' });
  await due.getByRole('link').click({ timeout: DUE_MS });
  await adas.waitForURL(`**/${path}*`);
  await adas.getByRole('button', { name: 'Log outcome' }).click();
  const outcome = adas.getByRole('dialog');
  await outcome.getByLabel('Outcome').selectOption('success');
  await outcome.getByRole('button', { name: 'Log outcome' }).click();
  await outcome.waitFor({ state: 'detached' });
  await adas.getByRole('link', { name: 'Insight' }).click();
  await adas.getByRole('heading', { name: 'Calibration' }).waitFor();
  const bins = adas.getByRole('table', { name: 'Forecasts and outcomes' }).getByRole('row');
  expect(await bins.filter({ hasText: '70% to 80%' }).textContent()).toBe('70% to 80%175%100%');
  const byForecaster = adas.getByRole('table', { name: 'Forecasts and outcomes by person or agent' });
  expect(await byForecaster.getByRole('row').allTextContents()).toEqual(
    expect.arrayContaining(['Surveyor100.0630.3060.0630.090', 'Grace Hopper1not enough cases yet (1 of 10)']),
  );

  // Whoever has both exports sees offline who stood behind which text.
  const files = { audit: join(folder, 'audit.ndjson'), workspace: join(folder, 'workspace.json') };
  await eventually(async () => {
    const { data } = await ada.call('GET', '/audit-log', undefined, {
      query: { action: 'decision.approve' },
    });
    expect(data).toHaveLength(4);
  });
  await adas.getByRole('link', { name: 'Audit log' }).click();
  writeFileSync(files.audit, (await downloaded(adas, 'Export NDJSON')).content);
  await adas.getByRole('link', { name: 'Export and import' }).click();
  writeFileSync(files.workspace, (await downloaded(adas, 'Export JSON')).content);
  const { public_key: publicKey } = await ada.call('GET', '/audit-log/verify');
  const proof = await run(
    {},
    ...['audit', 'verify', files.audit, '--public-key', publicKey],
    '--workspace',
    files.workspace,
  );
  expect([proof.code, proof.errors]).toEqual([0, []]);
  const told = proof.out.join('\n');
  for (const name of ['Grace Hopper', 'Alan Turing']) {
    expect(told).toContain(`${name} approved an earlier text, "Move the lighthouse"`);
    expect(told).toContain(`${name} approved the present text`);
  }
});
