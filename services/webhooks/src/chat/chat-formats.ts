import type { ChatFormat } from '@waymark/contracts';
import type { ChatMessage } from './chat-message.ts';

/** The characters of Slack's links and mentions (docs.slack.dev/messaging/formatting-message-text). */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const forSlack = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character]!);

/** Discord reads Markdown, in which a backslash makes any of these literal. */
const forDiscord = (text: string) => text.replace(/[\\`*_~|<>[\]()#@:.-]/g, '\\$&');

/** Formats a message for the incoming webhooks of each chat. No format mentions a member of the chat. */
export const chatFormats: Record<ChatFormat, (message: ChatMessage) => unknown> = {
  slack: ({ what, title, lines, who, url }) => ({
    text: [
      `*<${url}|${what}>*`,
      ...(title ? [forSlack(title)] : []),
      ...lines.map((line) => `>${forSlack(line)}`),
      ...(who ? [forSlack(who)] : []),
    ].join('\n'),
    // Names and addresses in the text do not become mentions and links.
    parse: 'none',
    unfurl_links: false,
    unfurl_media: false,
  }),

  discord: ({ what, title, lines, who, url }) => ({
    content: [
      `**[${what}](<${url}>)**`,
      ...(title ? [forDiscord(title)] : []),
      ...lines.map((line) => `> ${forDiscord(line)}`),
      ...(who ? [forDiscord(who)] : []),
    ].join('\n'),
    allowed_mentions: { parse: [] },
    // SUPPRESS_EMBEDS: no previews of links in the text.
    flags: 4,
  }),

  /** An Adaptive Card. A TextRun shows its text as it is, where a TextBlock reads Markdown. */
  teams: ({ what, title, lines, who, url }) => {
    const shown = (text: string, style: object) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text, ...style }],
    });
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        shown(what, title ? {} : { weight: 'bolder' }),
        ...(title ? [shown(title, { weight: 'bolder', size: 'medium' })] : []),
        ...lines.map((line) => shown(line, {})),
        ...(who ? [shown(who, { isSubtle: true })] : []),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open in Waymark', url }],
    };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
  },
};
