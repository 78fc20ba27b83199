import { afterAll, describe, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { checkAccessible } from './support/check-accessible.ts';
import { signIn } from './support/enter.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

async function invite(page: Awaited<ReturnType<typeof app.visit>>, email: string, role: string) {
  await page.getByRole('button', { name: 'Invite by link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite by link' });
  await dialog.getByLabel('Email').and(page.locator(':focus')).waitFor();
  if (email) await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
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

  it('join by a link with an existing account; a revoked link shows a message', async () => {
    const owner = await app.product.signUp();
    const other = await app.product.signUp('Alan Turing');
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    const link = await invite(page, '', 'member');
    const theirs = await app.visit(link.pathname + link.hash);
    await theirs.getByRole('button', { name: 'I have an account' }).click();
    await signIn(theirs, other);
    await theirs.getByRole('button', { name: 'Join' }).click();
    await theirs.waitForURL(`**/w/${owner.workspaceId}/decisions`);

    const second = await invite(page, '', 'member');
    await page.getByRole('button', { name: /Revoke the invitation/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The link no longer works').waitFor();
    const late = await app.visit(second.pathname + second.hash);
    await late.getByText('This invitation is no longer valid').waitFor();
  });

  it('with an account are invited like everyone else, and are members once they accept', async () => {
    const owner = await app.product.signUp();
    const other = await app.product.signUp('Alan Turing');
    const page = await app.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    const link = await invite(page, other.email, 'viewer');
    await page.getByRole('row', { name: other.email }).getByText('viewer').waitFor();
    expect(await page.getByText('Alan Turing').count()).toBe(0);

    const theirs = await app.visit(link.pathname + link.hash, { cookie: other.cookie });
    await theirs.getByRole('button', { name: 'Join' }).click();
    await theirs.waitForURL(`**/w/${owner.workspaceId}/decisions`);
    await page.reload();
    await page.getByLabel('Role of Alan Turing').waitFor();
    expect(await page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Invite by link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite by link' });
    await dialog.getByLabel('Email').fill(other.email);
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.getByRole('alert').getByText('is already a member of the workspace').waitFor();
    await checkAccessible(page);
  });

  it('stay on the page when a confirmation dialog fails to load', async () => {
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

  it('of low role see no settings that would refuse them', async () => {
    const owner = await app.product.signUp();
    const viewer = await app.product.signUp('Viola Viewer');
    await app.product.addMember(owner, viewer, 'viewer');
    const page = await app.visit(`/w/${owner.workspaceId}/settings`, { cookie: viewer.cookie });
    await page.getByText('You are a viewer').waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Rename|Change plan|Delete/ }).count()).toBe(0);
    await checkAccessible(page);
    await page.goto(`/w/${owner.workspaceId}/settings/api-keys`);
    await page.getByRole('heading', { name: 'Admins and owners can do this' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);

    await page.goto(`/w/${owner.workspaceId}/settings`);
    await page.getByRole('button', { name: 'Leave workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.waitForURL(`**/w/${viewer.workspaceId}/decisions`);
  });

  it('have a role that is plain text until one points at the row or reaches it, and a field on touch', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    await app.product.addMember(owner, await app.product.signUp('Joan Clarke'), 'member');
    const address = `/w/${workspaceId}/settings/members`;
    const page = await app.visit(address, { cookie });
    const roleIn = (where: typeof page) => where.getByLabel('Role of Joan Clarke');
    const looksOf = (where: typeof page) =>
      roleIn(where).evaluate((select) => {
        const { borderTopColor, boxShadow } = getComputedStyle(select);
        return borderTopColor === 'rgba(0, 0, 0, 0)' && boxShadow === 'none' ? 'text' : 'field';
      });
    await roleIn(page).waitFor();
    await page.mouse.move(0, 0);
    expect(await looksOf(page)).toBe('text');
    await page.getByText('Joan Clarke').hover();
    expect(await looksOf(page)).toBe('field');
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Leave this workspace' }).focus();
    expect(await looksOf(page)).toBe('text');
    await page.keyboard.press('Tab');
    await roleIn(page).and(page.locator(':focus')).waitFor();
    expect(await looksOf(page)).toBe('field');

    const storageState = await page.context().storageState();
    const phone = { storageState, isMobile: true, hasTouch: true, viewport: { width: 800, height: 800 } };
    const touch = await page.context().browser()!.newContext(phone);
    const theirs = await touch.newPage();
    await theirs.goto(new URL(address, app.product.url).href);
    await roleIn(theirs).waitFor();
    expect(await looksOf(theirs)).toBe('field');
    await touch.close();
  });

  it('with the admin role manage the settings, but not the plan, the owners or the deletion of the workspace', async () => {
    const owner = await app.product.signUp();
    const admin = await app.product.signUp('Anna Admin');
    const other = await app.product.signUp('Mark Member');
    const { workspaceId } = owner;
    await app.product.addMember(owner, admin, 'admin');
    await app.product.addMember(owner, other, 'member');
    const page = await app.visit(`/w/${workspaceId}/settings`, { cookie: admin.cookie });
    await page.getByRole('textbox', { name: 'Name' }).fill('Admin’s yard');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Admin’s yard' }).waitFor();
    await page.getByText('An owner of the workspace can change the plan').waitFor();
    expect(await page.getByRole('button', { name: /Change plan|Delete workspace/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Members' }).click();
    const role = page.getByLabel('Role of Mark Member');
    await role.selectOption('viewer');
    const question = page.getByRole('dialog', { name: 'Make Mark Member viewer?' });
    await question.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('Mark Member is viewer now').waitFor();
    expect(await role.locator('option').allTextContents()).not.toContain(
      'Owner: also manages the plan and deletion',
    );
    await page.getByRole('row', { name: 'Ada Lovelace' }).getByText('Owner', { exact: true }).waitFor();
    expect(await page.getByLabel('Role of Ada Lovelace').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Remove Ada Lovelace' }).count()).toBe(0);
  });

  it('change their own role, unless they are the last owner', async () => {
    const owner = await app.product.signUp();
    const other = await app.product.signUp('Alan Turing');
    const { workspaceId, cookie } = owner;
    const page = await app.visit(`/w/${workspaceId}/settings/members`, { cookie });
    const becomeViewer = async () => {
      await page.getByLabel('Role of Ada Lovelace').selectOption('viewer');
      const question = page.getByRole('dialog', { name: 'Become viewer?' });
      await question.getByText('cannot restore your role').waitFor();
      await question.getByRole('button', { name: 'Change role' }).click();
    };
    await becomeViewer();
    await page.getByText('This is the last owner of the workspace').waitFor();
    await app.product.addMember(owner, other, 'owner');
    await becomeViewer();
    await page.getByText('Ada Lovelace is viewer now').waitFor();
    await page.goto(`/w/${workspaceId}/settings`);
    await page.getByText('You are a viewer').waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
  });
});

describe('with e-mail', () => {
  let catcher: MailCatcher;
  const mailing = useConsole(async () => {
    catcher = await startMailCatcher({ refuse: (to) => (to.startsWith('nobody') ? 550 : undefined) });
    return { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' };
  });
  afterAll(() => catcher.stop());

  it('an invitation is mailed, its link is shown as well, and a refused address is named', async () => {
    const owner = await mailing.product.signUp();
    const page = await mailing.visit(`/w/${owner.workspaceId}/settings/members`, { cookie: owner.cookie });
    const link = await invite(page, 'joan@example.com', 'viewer');
    const row = (email: string) => page.getByRole('row', { name: email });
    await row('joan@example.com').getByText('Mailed').waitFor();
    const mail = catcher.mails.find(({ to }) => to === 'joan@example.com');
    expect(mail?.text).toContain(link.href);
    await invite(page, 'nobody@example.com', 'viewer');
    await row('nobody@example.com').getByText('The mail server refused this address').waitFor();
    await checkAccessible(page);
  });
});
