import { expect, it } from '@jest/globals';
import { drawWorkflow, edge } from './support/draw-workflow.ts';
import { checkAccessible, useConsole } from './support/index.ts';

const app = useConsole();

it('the trash has what was deleted, by whom and for how long, and brings it back with its parts', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const page = await owner.open('decisions');
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await page.getByText('No deleted decisions').waitFor();
  await checkAccessible(page);

  const quay = await owner.decide('Raise the quay', { outcome: 'success' });
  const thread = `/decisions/${quay}/thread`;
  await owner.call('POST', thread, { content: 'It floods' });
  const { ids, workflowId, path } = await drawWorkflow(owner, ['Plan', 'Build'], ['Plan>Build']);
  await owner.call('DELETE', `/decisions/${quay}`);
  const row = page.getByRole('row', { name: /Raise the quay/ });
  await row.getByText('Ada Lovelace').waitFor();
  await row.getByText('30 days').waitFor();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Restore Raise the quay' }).click();
  await page.getByText('“Raise the quay” is restored').waitFor();
  await page.getByText('No deleted decisions').waitFor();
  await page.goto(`/w/${owner.workspaceId}/decisions/${quay}`);
  await page.getByRole('region', { name: 'Discussion' }).getByText('It floods').waitFor();

  await owner.call('DELETE', `/nodes/${ids['Build']}`);
  await owner.call('DELETE', `/workflows/${workflowId}`);
  await page.goto(`/w/${owner.workspaceId}/trash`);
  await page.getByRole('tab', { name: 'Nodes' }).click();
  await page.getByRole('button', { name: 'Restore Build' }).click();
  await page.getByText(/workflow "[^"]*" of this node is deleted\. Restore it first/).waitFor();
  await page.getByRole('tab', { name: 'Workflows' }).click();
  await page.getByRole('button', { name: /^Restore / }).click();
  await page.getByText('No deleted workflows').waitFor();
  await page.getByRole('tab', { name: 'Nodes' }).click();
  await page.getByRole('button', { name: 'Restore Build' }).click();
  await page.getByText('No deleted nodes').waitFor();
  await page.goto(`/w/${owner.workspaceId}/${path}`);
  await edge(page, 'Plan', 'Build').waitFor({ state: 'attached' });

  const reader = await owner.addMember('viewer', 'Alan Turing');
  await owner.call('DELETE', `/decisions/${quay}`);
  const reading = await reader.open('trash');
  await reading.getByRole('row', { name: /Raise the quay/ }).waitFor();
  expect(await reading.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
});
