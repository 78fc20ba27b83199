/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

/** A text without a place to break, as long as a field allows. */
const long = (length: number) => 'Waymark'.repeat(length).slice(0, length);

/** Returns the width of the page at both window widths, and the elements beyond its edge. */
async function tooWide(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    found.push(
      ...(await page.evaluate(() => {
        const { clientWidth, scrollWidth } = document.documentElement;
        if (scrollWidth <= clientWidth) return [];
        const beyond = [...document.querySelectorAll('main *, [role="dialog"] *')].filter(
          (one) => one.getBoundingClientRect().right > clientWidth,
        );
        return [
          `${location.pathname} is ${scrollWidth} of ${clientWidth} wide: ${beyond[0]?.outerHTML.slice(0, 200)}`,
        ];
      })),
    );
  }
  return found;
}

describe('a text without a place to break', () => {
  it('makes no page scroll sideways, whichever field holds it', async () => {
    const owner = await app.product.signUp(long(200));
    const { workspaceId, cookie } = owner;
    const call = async (method: string, path: string, body: object) => {
      const answer = await app.product.call(method, path, { cookie, body });
      expect([path, answer.status, answer.status < 300 || answer.body]).toEqual([path, answer.status, true]);
      return answer.body;
    };
    await call('PATCH', `/workspaces/${workspaceId}`, { name: long(200) });
    const url = `https://example.com/${long(300)}`;
    const decision = await call('POST', '/decisions', {
      workspaceId,
      title: long(300),
      question: long(300),
      description: long(300),
      optionsConsidered: [{ title: long(300), pros: [long(300)], cons: [long(300)] }],
      criteria: [long(300)],
      resolution: long(300),
      rationale: `\`${long(300)}\`\n\n# ${long(300)}\n\n${url}`,
      decisionType: long(100),
      tags: [long(100), long(99)],
      decidedBy: long(200),
      expectedBy: '2020-01-01',
    });
    const next = await call('POST', '/decisions', {
      workspaceId,
      title: long(299),
      supersedes: decision.id,
      relatesTo: [decision.id],
      expectedBy: '2020-01-01',
    });
    const path = `/decisions/${decision.id}?workspaceId=${workspaceId}`;
    await call('PATCH', path, { title: long(298), outcome: 'partial', outcomeNotes: long(300) });
    const workflow = await call('POST', '/workflows', {
      workspaceId,
      title: long(300),
      description: long(300),
    });
    const node = {
      workspaceId,
      workflowId: workflow.id,
      type: 'task',
      assignedTo: long(200),
      positionX: 0,
      positionY: 0,
    };
    const first = await call('POST', '/nodes', {
      ...node,
      title: long(300),
      data: { [long(100)]: long(300) },
    });
    const second = await call('POST', '/nodes', { ...node, positionY: 200, title: long(299) });
    const ends = { sourceId: first.id, targetId: second.id };
    await call('POST', '/edges', { workflowId: workflow.id, ...ends, condition: { when: long(300) } });
    await call('POST', `/threads/${first.id}`, { content: long(300), contentType: 'markdown' });
    await call('POST', '/api-keys', {
      workspaceId,
      name: long(200),
      scopes: ['read'],
      allowedIps: ['2001:db8:1111:2222:3333:4444:5555:6666'],
    });
    const events = ['decision.created'];
    const webhook = await call('POST', '/webhooks', { workspaceId, url, description: long(300), events });
    await call('POST', '/invitations', {
      workspaceId,
      role: 'viewer',
      email: `${long(60)}@${long(60)}.example`,
    });

    const at = `/w/${workspaceId}`;
    const page = await app.visit(`${at}/decisions`, { cookie, width: 1440 });
    const faults: string[] = [];
    const look = async (where: string, shown = 'Waymarkway') => {
      await page.goto(where);
      await page.locator('main').getByText(new RegExp(shown, 'i')).first().waitFor();
      faults.push(...(await tooWide(page)));
    };
    await look(`${at}/decisions`);
    await look(`${at}/decisions/${decision.id}`);
    await page.getByRole('button', { name: 'Log outcome' }).click();
    faults.push(...(await tooWide(page)));
    await look(`${at}/decisions/${next.id}`);
    await look(`${at}/decisions/${next.id}/edit`, 'Tags');
    await look(`${at}/decisions/new?supersedes=${decision.id}`, 'Tags');
    await look(`${at}/workflows`);
    await look(`${at}/workflows/${workflow.id}`);
    await look(`${at}/workflows/${workflow.id}?node=${first.id}`);
    await look(`${at}/insight`);
    await look(`${at}/transfer`, 'Export');
    await look(`${at}/webhooks`);
    await look(`${at}/webhooks/${webhook.id}`);
    await look(`${at}/audit`, 'decision');
    await page.getByRole('button', { name: 'Details of entry' }).first().click();
    faults.push(...(await tooWide(page)));
    await look(`${at}/settings`, 'Workspace id');
    await look(`${at}/settings/members`);
    await look(`${at}/settings/api-keys`);
    await look(`${at}/settings/limits`, 'Reads');
    await look('/account', 'Password');
    await page.goto(`${at}/decisions`);
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('waymark');
    await page
      .getByRole('option', { name: /waymark/i })
      .first()
      .waitFor();
    faults.push(...(await tooWide(page)));
    expect(faults).toEqual([]);
  }, 240_000);
});
