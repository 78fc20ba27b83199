import { describe, expect, test } from '@jest/globals';
import {
  type ChatFormat,
  exampleData,
  subscribableEventTypes,
  type WebhookPayload,
} from '@waymark/contracts';
import { chatFormats } from './chat-formats.ts';
import { chatMessage, type Known } from './chat-message.ts';

const ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const formats = Object.keys(chatFormats) as ChatFormat[];
const known: Known = {
  titles: { [ID]: 'Found by id' },
  workflows: { [ID]: 'wf' },
  names: new Map([[ID, { name: 'Aiko' }]]),
  who: 'Mira',
  publicUrl: 'https://waymark.example/',
};
const payloadOf = (type: string, data: unknown): WebhookPayload => ({
  ...{ id: ID, type, created_at: '2026-03-14T09:26:53.589Z', workspace_id: 'ws', data },
});
const render = (format: ChatFormat, type: string, data: unknown, more: Partial<Known> = {}) =>
  JSON.stringify(chatFormats[format](chatMessage(payloadOf(type, data), { ...known, ...more })));

const dataOf = (type: string) =>
  type === 'ping' ? { webhook_id: ID } : exampleData(type as (typeof subscribableEventTypes)[number]);

/** In the order of the table of events: type, what happened, title, text, page. */
const MESSAGES = [
  'ping | Waymark can send messages here | Found by id | /webhooks/ID',
  'decision.created | A decision was logged | Which database keeps our decisions? | /decisions/ID',
  'decision.updated | The status of a decision is now proposed | Which database keeps our decisions? | /decisions/ID',
  'decision.deleted | A decision was deleted with its outcomes and its thread | Found by id | /decisions',
  'decision.outcome_logged | The outcome of a decision is pending | Which database keeps our decisions? | /decisions/ID',
  'decision.approval_requested | Members were asked to approve a decision | Which database keeps our decisions? | /decisions/ID',
  'decision.approved | A member approved the text of a decision | Found by id | text | /decisions/ID',
  'decision.objected | A member objected to the text of a decision | Found by id | text | /decisions/ID',
  'decision.abstained | A member abstained | Found by id | text | /decisions/ID',
  'decision.approval_voided | A change of the text voided what a member had said | Found by id | text | /decisions/ID',
  'decision.reviewed | A decision was reviewed: reaffirm | Which database keeps our decisions? | text | /decisions/ID',
  'decision.forecast_given | Somebody gave a forecast of the success of a decision | Found by id | /decisions/ID',
  'decision.approval_rules_updated | The rules of approvals were changed |  | ',
  'calendar_feed.created | A calendar feed was created |  | ',
  'calendar_feed.revoked | A calendar feed was revoked |  | ',
  'workflow.created | A workflow was created | Choose a database | /workflows/ID',
  'workflow.updated | A workflow was changed | Choose a database | /workflows/ID',
  'workflow.deleted | A workflow was deleted with its graph | Found by id | /workflows',
  'workflow.graph_replaced | The graph of a workflow was replaced | Choose a database | /workflows/ID',
  'node.created | A node was added | Measure both | /workflows/ID?node=ID',
  'node.updated | A node was changed | Measure both | /workflows/ID?node=ID',
  'node.deleted | A node was deleted with its edges and its thread | Found by id | /workflows/ID',
  'nodes.created | Nodes were added by replacing a graph | Found by id | /workflows/ID',
  'nodes.updated | Nodes were changed by replacing a graph | Found by id | /workflows/ID',
  'nodes.deleted | Nodes were deleted with their workflow or by replacing its graph | Found by id | /workflows/ID',
  'edge.created | Two nodes were connected | Found by id | /workflows/ID',
  'edge.deleted | An edge was deleted | Found by id | /workflows/ID',
  'edges.created | Edges were added by replacing a graph | Found by id | /workflows/ID',
  'edges.updated | Conditions of edges were changed by replacing a graph | Found by id | /workflows/ID',
  'edges.deleted | Edges were deleted with a node or by replacing a graph | Found by id | /workflows/ID',
  'thread.message_created | A message was posted on a node or a decision | Found by id | The **indexer** keeps up. | /decisions/ID',
  'thread.message_updated | A message was edited | Found by id | The **indexer** keeps up. | /decisions/ID',
  'thread.message_deleted | A message was deleted | Found by id | /decisions/ID',
  'thread.message_resolved | A message was resolved with its replies | Found by id | The **indexer** keeps up. | /decisions/ID',
  'thread.message_reopened | A resolved message was reopened, also by a reply | Found by id | The **indexer** keeps up. | /decisions/ID',
  'thread.reaction_added | Somebody reacted to a message | Found by id | /decisions/ID',
  'thread.reaction_removed | Somebody took a reaction back | Found by id | /decisions/ID',
  'decision.exported | The decisions were exported as CSV |  | ',
  'audit_log.exported | The audit log was exported |  | ',
  'workspace.exported | The whole workspace was exported |  | ',
  'workspace.exported_madr | The decisions were exported as Markdown |  | ',
  'workspace.import_finished | An import has ended |  | /transfer',
  'workspace.updated | A workspace was renamed, or its requirement of a second factor changed | Platform team | ',
  'workspace.member_added | A member joined | Mira Castellanos | ',
  'workspace.member_updated | A member’s role or name was changed | Mira Castellanos | ',
  'workspace.member_removed | A member left or was removed | Mira Castellanos | ',
  'invitation.created | Someone was invited by a link |  | ',
  'invitation.revoked | An invitation was revoked |  | ',
  'billing.plan_changed | The plan of the workspace was changed |  | ',
  'api_key.created | An API key was created | Release desk | ',
  'api_key.rotated | An API key was replaced by a new one |  | ',
  'api_key.revoked | An API key was revoked | Release desk | ',
  'service_account.created | A service account was created | Deployment | ',
  'service_account.updated | A service account was renamed, or its role changed | Deployment | ',
  'service_account.deleted | A service account was deleted with its keys | Deployment | ',
  'webhook.created | A webhook endpoint was registered | Found by id | /webhooks/ID',
  'webhook.updated | A webhook endpoint was changed | Found by id | /webhooks/ID',
  'webhook.deleted | A webhook endpoint was deleted | Found by id | /webhooks',
  'webhook.secret_rotated | The signing secret of a webhook endpoint was replaced, or the new one promoted | Found by id | /webhooks/ID',
  'webhook.disabled | A webhook endpoint was disabled because it is gone or kept failing | Found by id | /webhooks/ID',
  'webhook.tested | A test was sent to a webhook endpoint | Found by id | /webhooks/ID',
  'webhook.replayed | Deliveries to a webhook endpoint were sent again | Found by id | /webhooks/ID',
  'delivery.replayed | A webhook delivery was sent again | Found by id | /webhooks/ID',
];

describe('the message about an event', () => {
  test('says for each type what happened, to what, what was said, and where to read on', () => {
    const shown = ['ping', ...subscribableEventTypes].map((type) => {
      const { what, title, lines, url } = chatMessage(payloadOf(type, dataOf(type)), known);
      const page = url.replace('https://waymark.example/w/ws', '').replaceAll(ID, 'ID');
      return [type, what, title, ...lines, page].join(' | ');
    });
    expect(shown).toEqual(MESSAGES);
  });

  test.each(formats)('is complete for %s, whatever the event', (format) => {
    for (const type of ['ping', ...subscribableEventTypes]) {
      const body = render(format, type, dataOf(type));
      expect(body).toContain('https://waymark.example/w/ws');
      expect(body).toContain('Mira');
      expect(body).not.toMatch(/undefined|null,"title|\[object/);
    }
  });
});

describe('the formats', () => {
  const posted = {
    content: 'Ship <b>it</b>, @[0190A6B2-7c1d-7e42-9f5a-3b1c8d2e4f60]!\n\nToday',
    decision_id: ID,
  };
  const hidden = '\u202e\u200b\u3164\u2800\u{e0041}\u{e0100}';
  const title = `<!everyone> *Q&A* @everyone [x](http://evil.example) | ${hidden}gpj`;
  const hostile = { ...known, titles: { [ID]: title }, who: '<@U1>\n# Ann' };
  const body = (format: ChatFormat) => JSON.parse(render(format, 'thread.message_created', posted, hostile));
  const url = `https://waymark.example/w/ws/decisions/${ID}`;

  test('Slack gets mrkdwn in which no text of a user links, mentions or begins a line', () => {
    expect(body('slack')).toEqual({
      text: [
        `*<${url}|A message was posted on a node or a decision>*`,
        '&lt;!everyone&gt; *Q&amp;A* @everyone [x](http://evil.example) | gpj',
        '>Ship &lt;b&gt;it&lt;/b&gt;, @Aiko!',
        '>Today',
        '&lt;@U1&gt; # Ann',
      ].join('\n'),
      parse: 'none',
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  test('Discord gets Markdown in which every mark of a user is literal', () => {
    expect(body('discord')).toEqual({
      content: [
        `**[A message was posted on a node or a decision](<${url}>)**`,
        '\\<!everyone\\> \\*Q&A\\* \\@everyone \\[x\\]\\(http\\://evil\\.example\\) \\| gpj',
        '> Ship \\<b\\>it\\</b\\>, \\@Aiko!',
        '> Today',
        '\\<\\@U1\\> \\# Ann',
      ].join('\n'),
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });

  test('Teams gets an Adaptive Card whose text runs are no Markdown', () => {
    const run = (text: string, style = {}) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text, ...style }],
    });
    const { type, attachments } = body('teams');
    expect([type, attachments.length, attachments[0].contentType]).toEqual([
      'message',
      1,
      'application/vnd.microsoft.card.adaptive',
    ]);
    expect(attachments[0].content).toEqual({
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        run('A message was posted on a node or a decision'),
        run('<!everyone> *Q&A* @everyone [x](http://evil.example) | gpj', {
          weight: 'bolder',
          size: 'medium',
        }),
        run('Ship <b>it</b>, @Aiko!'),
        run('Today'),
        run('<@U1> # Ann', { isSubtle: true }),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open in Waymark', url }],
    });
  });

  test.each([...'&*a\u{1f600}\u0000'].map((character) => [character]))(
    'stay within the limits of the chats, full of %j',
    (character) => {
      const content = `${character.repeat(999)}\n`.repeat(20);
      const many = `${character}\n`.repeat(9_000);
      const long = { ...known, titles: { [ID]: character.repeat(300) }, who: character.repeat(200) };
      for (const text of [content, many]) {
        const of = (format: ChatFormat) =>
          render(format, 'thread.message_created', { content: text, decision_id: ID }, long);
        expect(JSON.parse(of('slack')).text.length).toBeLessThan(4_000);
        expect(JSON.parse(of('discord')).content.length).toBeLessThan(2_000);
        expect(Buffer.byteLength(of('teams'))).toBeLessThan(28_000);
      }
    },
  );
});
