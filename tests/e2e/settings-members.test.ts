import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './check-accessible.ts';
import { useConsole } from './use-console.ts';

const app = useConsole();

async function invite(page: Awaited<ReturnType<typeof app.visit>>, email: string, role: string) {
  await page.getByRole('button', { name: 'Invite by link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite by link' });
  if (email) await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = (await dialog.getByLabel('link', { exact: true }).textContent())!;
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  return new URL(link);
}

describe('members', () => {
  it('join by a link with a new account, get another role, and are removed', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    const link = await invite(page, 'joan@example.com', 'viewer');
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor();
    await checkAccessible(page);

    const theirs = await app.visit(link.pathname + link.hash);
    await theirs.getByText('invites you to').waitFor();
    await checkAccessible(theirs);
    expect(await theirs.getByLabel('Email').inputValue()).toBe('joan@example.com');
    await theirs.getByLabel('Your name').fill('Joan Clarke');
    await theirs.getByLabel(/^Password/).fill('banburismus by night');
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await theirs.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    expect(theirs.url()).toContain(owner.workspaceId);

    await page.reload();
    const role = page.getByLabel('Role of Joan Clarke');
    await role.selectOption('admin');
    const question = page.getByRole('dialog', { name: 'Make Joan Clarke admin?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await role.inputValue()).toBe('viewer');
    await role.selectOption('admin');
    await question.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('Joan Clarke is admin now').waitFor();
    await page.getByRole('button', { name: 'Remove Joan Clarke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Joan Clarke is no longer a member').waitFor();
    const { body } = await app.product.call('GET', `/members?workspaceId=${owner.workspaceId}`, {
      cookie: owner.cookie,
    });
    expect(body.data).toHaveLength(1);
  });

  it('join by a link with the account that they have; a link that was taken back says so', async () => {
    const owner = await app.product.signUp();
    const other = await app.product.signUp('Alan Turing');
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    const link = await invite(page, '', 'member');
    const theirs = await app.visit(link.pathname + link.hash);
    await theirs.getByRole('button', { name: 'I have an account' }).click();
    await theirs.getByLabel('Email').fill(other.email);
    await theirs.getByLabel(/^Password/).fill(other.password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('button', { name: 'Join' }).click();
    await theirs.waitForURL(`**/w/${owner.workspaceId}/decisions`);

    const second = await invite(page, '', 'member');
    await page.getByRole('button', { name: /Take back the invitation/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('The link no longer works').waitFor();
    const late = await app.visit(second.pathname + second.hash);
    await late.getByText('This invitation no longer works').waitFor();
  });

  it('are added by the email of their account', async () => {
    const owner = await app.product.signUp();
    const other = await app.product.signUp('Alan Turing');
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    await page.getByRole('button', { name: 'Add by email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add somebody who has an account' });
    await dialog.getByLabel('Email').fill('nobody@example.com');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Email').fill(other.email);
    await dialog.getByLabel('Role').selectOption('viewer');
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Alan Turing is viewer now').waitFor();
    await page.getByLabel('Role of Alan Turing').waitFor();
  });

  it('stay on the page when the question before an act does not load', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, {
      cookie: owner.cookie,
      expects: /dynamically imported module/,
    });
    await page.route('**/assets/confirm-dialog*.js', (route) => route.abort());
    await page.getByRole('button', { name: 'Leave this workspace' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'A part of Waymark did not load' });
    await alert.waitFor();
    await checkAccessible(page);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  });

  it('of low role see no settings that would be refused', async () => {
    const owner = await app.product.signUp();
    const viewer = await app.product.signUp('Viola Viewer');
    const body = { workspaceId: owner.workspaceId, email: viewer.email, role: 'viewer' };
    await app.product.call('POST', '/members', { cookie: owner.cookie, body });
    const page = await app.visit(`/w/${owner.workspaceId}/settings`, { cookie: viewer.cookie });
    await page.getByText('You are a viewer').waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Rename|Change plan|Delete/ }).count()).toBe(0);
    await checkAccessible(page);
    await page.goto(`/w/${owner.workspaceId}/settings/api-keys`);
    await page.getByText('Your role does not allow this').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
  });
});
