import { expect, it } from '@jest/globals';
import {
  checkAccessible,
  createAccount,
  focused,
  invite,
  openMore,
  signIn,
  useConsole,
} from './support/index.ts';

const app = useConsole();

it('members join by a link with a new account, get another role, and are removed', async () => {
  const owner = await app.signUp('Katherine Johnson');
  const page = await owner.open('decisions');
  const link = await invite(page, 'joan@example.com', 'Viewer: read only', 'Invite somebody');
  await page.getByRole('heading', { name: 'Open invitations' }).waitFor();

  const theirs = await app.visit(link);
  await theirs.getByText('Katherine Johnson invites you to').waitFor();
  await checkAccessible(theirs);
  expect(await theirs.getByLabel('E-mail').inputValue()).toBe('joan@example.com');
  await createAccount(theirs, 'Joan Clarke', 'joan@example.com', 'banburismus by night');
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
  await openMore(page, 'Joan Clarke');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Joan Clarke is no longer a member').waitFor();
  expect((await owner.call('GET', '/members')).data).toHaveLength(1);
});

it('members with an account join by a link like everyone else, but not by a revoked link', async () => {
  const [owner, alan, grace] = [
    await app.signUp(),
    await app.signUp('Alan Turing'),
    await app.signUp('Grace Hopper'),
  ];
  const page = await owner.open('settings/members');
  const revoked = await invite(page, '', 'member');
  await page.getByRole('button', { name: /Revoke the invitation/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The link no longer works').waitFor();
  const late = await app.visit(revoked);
  await late.getByText('This invitation is no longer valid').waitFor();

  const forAnyone = await invite(page, '', 'member');
  const visitor = await app.visit(forAnyone);
  await visitor.getByRole('button', { name: 'I have an account' }).click();
  await signIn(visitor, grace);
  await visitor.getByRole('button', { name: 'Join' }).click();
  await visitor.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  await visitor.getByRole('link', { name: 'New decision' }).first().waitFor();

  const forAlan = await invite(page, alan.email, 'viewer');
  await page.getByRole('row', { name: alan.email }).getByText('viewer').waitFor();
  expect(await page.getByText('Alan Turing').count()).toBe(0);
  const theirs = await app.visit(forAlan, alan);
  await theirs.getByRole('button', { name: 'Join' }).click();
  await theirs.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  await page.reload();
  await page.getByLabel('Role of Alan Turing').waitFor();
  expect(await page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Invite by link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite by link' });
  await dialog.getByLabel('E-mail').fill(alan.email);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await dialog.getByRole('alert').getByText('is already a member of the workspace').waitFor();
  await checkAccessible(page);
});

it('the role of a member is plain text until the row has the pointer or the focus, and a field on touch screens', async () => {
  const owner = await app.signUp();
  await owner.addMember('member', 'Joan Clarke');
  const page = await owner.open('settings/members', { expects: /dynamically imported module/ });
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
  await page
    .getByRole('button', { name: /^More actions for/ })
    .first()
    .focus();
  expect(await looksOf(page)).toBe('text');
  await page.keyboard.press('Tab');
  await focused(roleIn(page));
  expect(await looksOf(page)).toBe('field');

  const storageState = await page.context().storageState();
  const phone = { storageState, isMobile: true, hasTouch: true, viewport: { width: 800, height: 800 } };
  const touch = await page.context().browser()!.newContext(phone);
  const theirs = await touch.newPage();
  await theirs.goto(page.url());
  await roleIn(theirs).waitFor();
  expect(await looksOf(theirs)).toBe('field');
  await touch.close();

  // The page stays when a confirmation dialog fails to load.
  await page.route('**/assets/confirm-dialog*.js', (route) => route.abort());
  await openMore(page, /^More actions for/);
  await page.getByRole('button', { name: 'Leave' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'A part of Waymark did not load' });
  await alert.waitFor();
  await checkAccessible(page);
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
});

it('members with the admin role manage the settings, but not the plan, the owners or the deletion of the workspace', async () => {
  const owner = await app.signUp();
  const admin = await owner.addMember('admin', 'Anna Admin');
  await owner.addMember('member', 'Mark Member');
  const page = await admin.open('settings');
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
  expect(await page.getByRole('button', { name: 'More actions for Ada Lovelace' }).count()).toBe(0);
});

it('members change their own role, unless they are the last owner', async () => {
  const owner = await app.signUp();
  const page = await owner.open('settings/members');
  const becomeViewer = async () => {
    await page.getByLabel('Role of Ada Lovelace').selectOption('viewer');
    const question = page.getByRole('dialog', { name: 'Become viewer?' });
    await question.getByText('cannot restore your role').waitFor();
    await question.getByRole('button', { name: 'Change role' }).click();
  };
  await becomeViewer();
  await page.getByText('This is the last owner of the workspace').waitFor();
  await owner.addMember('owner', 'Alan Turing');
  await becomeViewer();
  await page.getByText('Ada Lovelace is viewer now').waitFor();
  await page.goto(`/w/${owner.workspaceId}/settings`);
  await page.getByText('You are a viewer').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('row', { name: 'Alan Turing' }).waitFor();
  expect(await page.getByRole('button', { name: /Invite/ }).count()).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
});
