import { expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

it('members are asked to approve a decision, a change voids what they said, and a rule holds back the status', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const alan = await owner.addMember('member', 'Alan Turing');
  const id = await owner.decide('Move the lighthouse');

  const settings = await owner.open('settings');
  const rules = settings.getByRole('region', { name: 'Approvals of decisions' });
  await rules.getByText('Decisions need no approvals.').waitFor();
  await rules.getByRole('button', { name: 'Add a rule' }).click();
  await rules.getByLabel('Grace Hopper').check();
  await rules.getByLabel('Alan Turing').check();
  await rules.getByLabel('Without the approvals, a decision').selectOption('enforced');
  await checkAccessible(settings);
  await rules.getByRole('button', { name: 'Save the rules' }).click();
  await settings.getByText('The rules are saved.').waitFor();
  // The rule still names him.
  await owner.call('DELETE', `/members/${alan.memberId}`);

  const page = await owner.open(`decisions/${id}`, { expects: /^503 of / });
  const approvals = page.getByRole('region', { name: 'Approvals' });
  await approvals.getByText('1 approval is missing, from Grace Hopper.').waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Accept' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Approvals of this text are missing' });
  await refusal.getByText('Grace Hopper has not approved this text').waitFor();
  const people = '**/v1/people?*';
  const json = { error: 'SERVICE_UNAVAILABLE', message: 'Come back later.' };
  await page.route(people, (route) => route.fulfill({ status: 503, json }));
  await approvals.getByRole('button', { name: 'Ask for approval' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for approval' });
  await dialog.getByText('Come back later.').waitFor();
  await page.unroute(people);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  expect(await dialog.getByLabel('Grace Hopper').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await approvals.getByText('Asked: Grace Hopper').waitFor();

  const hers = await grace.open(`decisions/${id}`);
  const panel = hers.getByRole('region', { name: 'Approvals' });
  await panel.getByRole('button', { name: 'Object' }).click();
  const objection = hers.getByRole('dialog', { name: 'Object to this text' });
  await objection.getByLabel('What would have to change?').fill('Say where to.');
  await objection.getByRole('button', { name: 'Object' }).click();
  await panel.getByText('Say where to.').waitFor();

  await owner.call('PATCH', `/decisions/${id}`, { title: 'Move the lighthouse to the cape' });
  await panel.getByText('an earlier text; a change has voided it').waitFor();
  await panel.getByRole('button', { name: 'What has changed since Grace Hopper read it' }).click();
  await panel.getByRole('table').getByText('Move the lighthouse to the cape').waitFor();
  await panel.getByRole('button', { name: 'Approve' }).click();
  await panel.getByText('All approvals that the workspace asks for are there.').waitFor();
  await checkAccessible(hers);

  await page.getByText('All approvals that the workspace asks for are there.').waitFor();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('The decision is accepted').waitFor();
});

it('a viewer sees who approved a decision, in German too, and has no say', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const viewer = await owner.addMember('viewer', 'Alan Turing');
  const id = await owner.decide('Ring the bell at dusk');
  const { content_sha256: contentSha256 } = await owner.call('GET', `/decisions/${id}/approvals`);
  await owner.call('POST', `/decisions/${id}/approvals`, { verdict: 'approve', contentSha256 });
  const page = await viewer.open(`decisions/${id}`, { locale: 'de-DE' });
  const approvals = page.getByRole('region', { name: 'Zustimmung' });
  await approvals.getByText('Ada Lovelace').waitFor();
  expect(await approvals.getByRole('button').count()).toBe(0);
});

it('a verdict on a text that has just changed is not given, and the page says to read it again', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const id = await owner.decide('Ring the bell at dusk');
  const page = await grace.open(`decisions/${id}`, { expects: /^409 of / });
  const change = async (route: Route) => {
    await owner.call('PATCH', `/decisions/${id}`, { title: `Ring the bell at ${Math.random()}` });
    await route.fallback();
  };
  const given = /\/approvals/;
  const says = 'The text has changed since you read it';
  await page.route(given, change, { times: 1 });
  await page.getByRole('button', { name: 'Approve' }).click();
  const notice = page.getByRole('status').filter({ hasText: says });
  await notice.getByText('Read it again on the page').waitFor();
  expect(await notice.getByRole('button', { name: 'Try again' }).count()).toBe(0);

  await page
    .getByText(/Ring the bell at 0/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Object' }).click();
  const dialog = page.getByRole('dialog', { name: 'Object to this text' });
  await dialog.getByLabel('What would have to change?').fill('Not at night.');
  await page.route(given, change, { times: 1 });
  await dialog.getByRole('button', { name: 'Object' }).click();
  await dialog.getByRole('alert').getByText(says).waitFor();
  const { title } = await owner.call('GET', `/decisions/${id}`);
  await page.getByText(title).first().waitFor();
  // The dialog objects to the text that was read, although the page shows the present one.
  const again = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await dialog.getByRole('button', { name: 'Object' }).click();
  expect((await again).status()).toBe(409);
  expect((await owner.call('GET', `/decisions/${id}/approvals`)).data).toEqual([]);

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Discard it' }).click();
  await page.getByLabel('What would have to change?').waitFor({ state: 'detached' });
});
