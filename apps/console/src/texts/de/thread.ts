import type { threadTexts } from '../thread.ts';

export const thread: typeof threadTexts = {
  loading: 'Die Diskussion wird geladen',
  empty: 'Noch keine Nachrichten.',
  messages: 'Nachrichten',
  later: 'Spätere Nachrichten zeigen',
  write: 'Schreiben',
  preview: 'Vorschau',
  fresh: 'Neue Nachricht, in Markdown',
  markdown: 'Markdown: **fett**, - Listen, `Code`. @ erwähnt ein Mitglied',
  noPreview: 'Noch nichts zu zeigen.',
  post: 'Senden',
  somebody: 'Jemand',
  edited: 'bearbeitet',
  message: 'Nachricht, in Markdown',
  deletion: {
    title: 'Diese Nachricht löschen?',
    consequence: 'Sie wird für alle gelöscht. Das kann nicht rückgängig gemacht werden.',
    act: 'Nachricht löschen',
  },
  begin: 'Nachricht schreiben',
  reply: 'Antworten',
  answering: (name) => `Deine Nachricht antwortet ${name}.`,
  answers: (name) => (name === null ? 'Antwort auf eine frühere Nachricht' : `Antwort an ${name}`),
  people: 'Mitglieder',
  formerMember: 'früheres Mitglied',
  discussion: 'Diskussion',
};
