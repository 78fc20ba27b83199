/// <reference lib="dom" />
import { expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, focused, openMore, useConsole } from './support/index.ts';

const app = useConsole();
type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** An action behind "…" of the first message of somebody. */
const act = async (page: Page, of: string, name: string) => {
  await openMore(page, `the message by ${of}`);
  await page.getByRole('button', { name, exact: true }).press('Enter');
};

it('members discuss a decision, mention each other by keyboard, answer, edit, react, resolve and delete', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const member = await owner.addMember('member', 'Grace Hopper');
  const id = await owner.decide('Burn coal');
  const path = `decisions/${id}`;
  const [ada, grace] = await Promise.all([owner.open(path), member.open(path)]);
  const of = (page: typeof ada) => page.getByRole('region', { name: 'Discussion' });
  await of(ada).getByText('No messages yet').waitFor();
  await of(ada).getByRole('button', { name: 'Write a message' }).click();
  const draft = of(ada).getByLabel('New message');
  await draft.pressSequentially('Is **this** right, @');
  await ada.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: 'Ada Lovelace' }).waitFor();
  await draft.pressSequentially('gr');
  await ada.getByRole('option', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' });
  await checkAccessible(ada);
  await ada.keyboard.press('Enter');
  await draft.pressSequentially('?');
  expect(await draft.inputValue()).toBe('Is **this** right, @Grace Hopper ?');
  await ada.keyboard.press('Control+Enter');

  // It arrives without a reload.
  await of(grace).getByText('@Grace Hopper ?').waitFor();
  const { messages } = await owner.call('GET', `/decisions/${id}/thread`);
  expect(messages[0]).toMatchObject({ content: `Is **this** right, @[${messages[0].mentions[0]}] ?` });
  await member.call('PATCH', '/auth/me', { name: 'Grace M. Hopper' });
  await of(grace).getByRole('button', { name: 'Reply' }).click();
  await of(grace).getByText('Your message answers Ada Lovelace.').waitFor();
  const reply = of(grace).getByLabel('New message');
  await reply.and(grace.locator(':focus')).waitFor();
  await reply.pressSequentially('It is.');
  await grace.keyboard.press('Control+Enter');
  await of(ada).getByText('In reply to Ada Lovelace').waitFor();
  await checkAccessible(grace);

  await ada.reload();
  await of(ada).getByText('@Grace M. Hopper ?').waitFor();
  await act(ada, 'Ada Lovelace', 'Edit');
  const edited = of(ada).getByLabel('Message, in Markdown', { exact: true });
  await focused(edited);
  expect(await edited.inputValue()).toBe('Is **this** right, @Grace M. Hopper ?');
  await edited.fill('Is this right, @Grace M. Hopper, really?');
  await of(ada).getByRole('button', { name: 'Save' }).click();
  await of(grace).getByText('Hopper, really?').waitFor();
  await of(grace).getByText('edited').waitFor();

  await of(grace).getByRole('button', { name: 'React' }).first().press('Enter');
  await of(grace).getByRole('button', { name: 'Thumbs up', exact: true, pressed: false }).press('Enter');
  const thumbs = (page: typeof ada, name: RegExp) =>
    of(page).getByRole('button', { name, pressed: page === grace });
  await thumbs(ada, /^Thumbs up, 1: Grace M. Hopper$/).click();
  await thumbs(grace, /^Thumbs up, 2: Ada Lovelace and Grace/).waitFor();
  await of(grace).getByRole('button', { name: 'React' }).first().press('Enter');
  await of(grace).getByRole('button', { name: 'Thumbs up', exact: true, pressed: true }).waitFor();
  await checkAccessible(grace);
  await act(grace, 'Ada Lovelace', 'Resolve');
  await of(ada).getByText('Resolved by Grace').waitFor();
  await of(ada).getByText('It is.').waitFor({ state: 'detached' });
  await checkAccessible(ada);
  await of(ada).getByRole('button', { name: 'Show messages' }).press('Enter');
  await of(ada).getByRole('button', { name: 'Reply' }).last().click();
  await of(ada).getByLabel('New message').pressSequentially('One more thing');
  await ada.keyboard.press('Control+Enter');
  // A reply reopens it.
  await of(grace).getByText('One more thing').waitFor();
  await of(grace).getByText('Resolved by').waitFor({ state: 'detached' });

  await act(ada, 'Ada Lovelace', 'Delete');
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
  await of(grace).getByText('In reply to an earlier message').waitFor();
});

it('a text that is too long for a message stays whole in its field, and the page says so', async () => {
  const owner = await app.signUp();
  const page = await owner.open(`decisions/${await owner.decide('Burn coal')}`, { expects: /^400 of / });
  await page.getByRole('button', { name: 'Write a message' }).click();
  const field = page.getByLabel('New message');
  const tooLong = 'x'.repeat(limits.messageCharacters + 1);
  await field.evaluate((element: HTMLTextAreaElement, text) => {
    element.focus();
    // As a paste does, which a maximal length would cut.
    document.execCommand('insertText', false, text);
  }, tooLong);
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('alert')
    .getByText(/20,?000/)
    .waitFor();
  expect(await field.inputValue()).toBe(tooLong);
});

it('a writer closes the field with the draft kept, and sees what is posted', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Burn coal');
  const path = `/decisions/${id}/thread`;
  for (let nth = 1; nth <= 10; nth += 1) await owner.call('POST', path, { content: `Message ${nth}` });
  const page = await owner.open(`decisions/${id}`);
  await page.setViewportSize({ width: 360, height: 640 });
  const begin = page.getByRole('button', { name: 'Write a message' });
  const field = page.getByLabel('New message');
  await page.getByRole('button', { name: 'Reply' }).nth(2).click();
  await field.fill('I see.');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await focused(begin);
  expect(await field.count()).toBe(0);
  await begin.press('Enter');
  expect(await field.inputValue()).toBe('I see.');

  // The open field scrolls with the messages, and hides none of them.
  await page.getByText('Message 3', { exact: true }).scrollIntoViewIfNeeded();
  await field.and(page.locator(':focus')).press('Control+Enter');
  await page.getByRole('status').getByText('Your message is posted.').waitFor();
  await focused(begin);
  const posted = page.getByRole('listitem').filter({ hasText: 'I see.' });
  await posted.waitFor();
  await eventually(async () => {
    const [{ y, height }, closed] = (await Promise.all([posted.boundingBox(), begin.boundingBox()])) as [
      Box,
      Box,
    ];
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(closed.y);
  });
});

it('the field takes typed, pasted and composed text before its editor is loaded, and runs no shortcut', async () => {
  const owner = await app.signUp();
  const path = `decisions/${await owner.decide('Burn coal')}`;
  const page = await owner.open(path, { isNewProfile: true, ownClock: true });
  const held = Promise.withResolvers<void>();
  await page.route(/assets\/message-editor/, (route) => held.promise.then(() => route.continue()));
  const begin = page.getByRole('button', { name: 'Write a message' });
  const field = page.getByLabel('New message');
  const opensNothing = ['Control+b', 'Alt+b', 'Meta+b'];
  for (const shortcut of opensNothing) await begin.press(shortcut);
  // AltGr, as Windows reports it.
  await begin.press('Control+Alt+@');
  await page.keyboard.type('can we');
  for (const keys of ['Control+a', 'Control+c', 'ArrowRight', 'Control+v']) await page.keyboard.press(keys);
  expect(await field.inputValue()).toBe('@can we@can we');
  await checkAccessible(page);

  // An input method keeps its field until it is done.
  const inputMethod = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    inputMethod.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await compose('にほ');
  const loaded = page.waitForResponse(/assets\/message-editor.*js/);
  held.resolve();
  const url = (await loaded).url();
  await page.evaluate((file) => import(file), url);
  // React shows what was loading after 300 ms at the earliest.
  await page.clock.fastForward(1_000);
  await page.evaluate(
    () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
  );
  expect(await page.getByRole('tab', { name: 'Write' }).count()).toBe(0);
  await compose('にほん');
  await inputMethod.send('Input.insertText', { text: '日本' });
  await page.getByRole('tab', { name: 'Write' }).waitFor();
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('?');
  expect(await field.inputValue()).toBe('@can we@can we日本?');

  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await begin.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+v');
  await page.keyboard.type(' burn gas?');
  expect(await field.inputValue()).toBe('@can we@can we日本?@can we burn gas?');
});

it('a second Reply to a message focuses the field again, and so does Cancel', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Burn coal');
  await owner.call('POST', `/decisions/${id}/thread`, { content: 'No' });
  const page = await owner.open(`decisions/${id}`);
  const reply = page.getByRole('button', { name: 'Reply' });
  const field = page.getByLabel('New message');
  const presses = [reply, reply, page.getByRole('button', { name: 'Cancel' }), reply];
  for (const [i, button] of presses.entries()) {
    await button.click();
    await page.keyboard.type(`${i}`);
    await field.and(page.locator(':focus')).waitFor();
  }
  expect(await field.inputValue()).toBe('0123');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await reply.click();
  await field.and(page.locator(':focus')).waitFor();
});

it('a failure to load the editor keeps no keys', async () => {
  const owner = await app.signUp();
  const path = `decisions/${await owner.decide('Burn coal', { status: 'accepted' })}`;
  const page = await owner.open(path, { isNewProfile: true, expects: /^404 of |dynamically imported/ });
  await page.route(/assets\/message-editor.*js/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('button', { name: 'Write a message' }).click();
  await page.getByRole('alert').waitFor();
  await page.keyboard.press('o');
  await page.getByRole('dialog', { name: 'Log the outcome' }).waitFor();
});

it('the replies of a resolved conversation stay hidden on a page without the message that begins it', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Burn coal');
  const path = `/decisions/${id}/thread`;
  const post = async (content: string, replyTo: string | null = null) =>
    (await owner.call('POST', path, { content, replyTo })).message.id;
  const first = await post('Why coal?');
  await post('Because.', await post('It burns.', first));
  await owner.call('PUT', `${path}/messages/${first}/resolution`);
  for (let nth = 4; nth <= 50; nth += 1) await post(`Message ${nth}`);
  const page = await owner.open(`decisions/${id}`);
  const text = (content: string) => page.getByText(content, { exact: true });
  await page.getByRole('button', { name: 'Show messages' }).waitFor();
  // The next message moves the first one to another page.
  await post('Message 51');
  await text('Message 51').waitFor();
  await page.getByRole('button', { name: 'Show messages' }).waitFor({ state: 'detached' });
  expect([await text('It burns.').count(), await text('Because.').count()]).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Show earlier messages' }).click();
  await page.getByRole('button', { name: 'Show messages' }).click();
  await text('Because.').waitFor();
});

it('the actions of a message stand in one row, and its writer and the newest messages are in view', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const { path, ids } = await drawWorkflow(owner, ['Plan']);
  const say = (content: string) => owner.call('POST', `/threads/${ids['Plan']}`, { content });
  const content = `${'Ship it. '.repeat(2_000)}\n\n[The end.](https://example.com)`;
  await owner.call('POST', `/threads/${ids['Plan']}`, { content, contentType: 'markdown' });
  const page = await owner.open(`${path}?node=${ids['Plan']}`);
  await page.getByRole('tab', { name: 'Discussion' }).click();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const isInView = async (part: Locator) => {
    const { y, height } = (await part.boundingBox())!;
    return y >= 0 && y + height <= page.viewportSize()!.height;
  };
  const tops = async (names: string[]) =>
    new Set(await Promise.all(names.map(async (name) => (await button(name).first().boundingBox())!.y)));
  await button('Show all').waitFor();
  const inRow = ['React', 'Reply', 'More actions for the message by Ada Lovelace'];
  await eventually(async () => (await tops(inRow)).size === 1);
  expect(await isInView(button('Write a message'))).toBe(true);

  // A long message shows its beginning.
  const end = page.getByText('The end.');
  expect(await button('Show all').getAttribute('aria-expanded')).toBe('false');
  // Both places in one call, because the page scrolls to the newest message meanwhile.
  const isFolded = () =>
    end.evaluate(
      (link) => link.getBoundingClientRect().top > link.closest('li')!.getBoundingClientRect().bottom,
    );
  expect(await isFolded()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await isFolded()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await button('Show all').press('Enter');
  expect(await isFolded()).toBe(false);
  await focused(page.getByRole('button', { name: 'Show less', expanded: true }));
  await checkAccessible(page);
  await button('Show less').press('Enter');
  await button('Show all').waitFor();
  expect(await isFolded()).toBe(true);
  // A link in the rest shows all when it gets the focus.
  await end.focus();
  await button('Show less').waitFor();
  expect([await isFolded(), await isInView(end)]).toEqual([false, true]);

  for (let nth = 1; nth <= 51; nth += 1) await say(`Message ${nth}`);
  await page.reload();
  await page.getByRole('tab', { name: 'Discussion' }).click();
  const newest = page.getByText('Message 51', { exact: true });
  await newest.waitFor();
  expect(await isInView(newest)).toBe(true);
  expect(await page.getByText('Message 1', { exact: true }).count()).toBe(0);
  await button('Show earlier messages').click();
  await page.getByText('Message 1', { exact: true }).waitFor();

  // Reached by touch on a phone as well.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('tab', { name: 'Discussion' }).click();
  await newest.waitFor();
  expect(await isInView(newest)).toBe(true);
  expect(await isInView(button('Write a message'))).toBe(true);
  await checkAccessible(page);
});
