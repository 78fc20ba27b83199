import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

it('my work has what is overdue, waits for me, or is assigned to me, until it is done', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const page = await grace.open('decisions');
  await page.getByRole('navigation').getByRole('link', { name: 'My work' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  await checkAccessible(page);

  await page.getByLabel('Tell me of').selectOption('Every change and message');
  await eventually(async () => {
    const { data } = await grace.call('GET', '/notifications/subscriptions');
    expect(data).toMatchObject([{ record_id: grace.workspaceId, level: 'watch' }]);
  });

  const deciders = [grace.userId];
  await owner.decide('Raise the quay', { deciders });
  const due = { deciders, status: 'accepted', expectedBy: '2024-03-01' };
  await owner.decide('Dredge the port', due);
  const reviewBy = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const review = await owner.decide('Keep the ferry', { deciders, status: 'accepted', reviewBy });
  await owner.decide('Nothing to do', { deciders, status: 'rejected' });
  const asked = await owner.decide('Buy a crane');
  await owner.call('POST', `/decisions/${asked}/approval-requests`, { members: deciders });
  const { ids, workflowId } = await drawWorkflow(owner, ['Survey', 'Measured']);
  const assign = (title: string, status: string) =>
    owner.call('PATCH', `/nodes/${ids[title]}`, { assignedTo: grace.userId, status });
  await assign('Survey', 'in_progress');
  await assign('Measured', 'done');

  const rows = (name: string) => page.getByRole('table', { name }).locator('tbody tr');
  await rows('Assigned to you').getByText('In progress').waitFor();
  await rows('Waiting for you').nth(2).waitFor();
  const texts = async (name: string) => (await rows(name).allTextContents()).toSorted();
  expect(await texts('Overdue')).toEqual(['Dredge the portLog the outcomeMar 1, 2024']);
  const day = new Date(reviewBy).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  expect(await texts('Waiting for you')).toEqual([
    'Buy a craneApprove or object',
    `Keep the ferryReview${day}`,
    'Raise the quayDecide',
  ]);
  expect(await rows('Assigned to you').count()).toBe(1);
  await checkAccessible(page);

  const { content_sha256 } = await grace.call('GET', `/decisions/${asked}/approvals`);
  const verdict = { verdict: 'approve', contentSha256: content_sha256 };
  await grace.call('POST', `/decisions/${asked}/approvals`, verdict);
  await rows('Waiting for you').getByText('Approve or object').waitFor({ state: 'detached' });

  await grace.call('POST', `/decisions/${review}/reviews`, { result: 'reaffirm' });
  await rows('Waiting for you').getByText('Keep the ferry').waitFor({ state: 'detached' });

  await page.getByRole('heading', { level: 1 }).focus();
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL(`**/workflows/${workflowId}?node=${ids['Survey']}`);
  await page.locator('.react-flow__pane').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL('**/my-work');
});
