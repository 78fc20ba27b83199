import { defineTexts } from './define-texts.ts';

/** The messages on a node or a decision. */
export const threadTexts = defineTexts('thread', {
  loading: 'Loading the thread',
  empty: 'No messages yet.',
  messages: 'Messages',
  later: 'Show later messages',
  write: 'Write',
  preview: 'Preview',
  fresh: 'New message, in Markdown',
  markdown: 'Markdown: **bold**, - lists, `code`. @ mentions a member',
  noPreview: 'Nothing to show yet.',
  post: 'Post',
  somebody: 'Somebody',
  edited: 'edited',
  message: 'Message, in Markdown',
  deletion: {
    title: 'Delete this message?',
    consequence: 'It is deleted for everyone. This cannot be undone.',
    act: 'Delete message',
  },
  begin: 'Write a message',
  reply: 'Reply',
  answering: (name: string) => `Your message answers ${name}.`,
  answers: (name: string | null) => `In reply to ${name ?? 'an earlier message'}`,
  people: 'Members',
  formerMember: 'former member',
  discussion: 'Discussion',
});
