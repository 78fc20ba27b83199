import type { decisionListTexts } from '../decision-list.ts';
import { number, plural } from '../format.ts';

export const decisionList: typeof decisionListTexts = {
  title: 'Entscheidungen',
  newDecision: 'Neue Entscheidung',
  noMatch: 'Keine Entscheidung passt zu den Filtern.',
  empty: 'Noch keine Entscheidungen',
  emptyHint:
    'Schreibe auf, was du entscheidest, was du sonst erwogen hast und warum, und wie sicher du bist. Erfasse später das Ergebnis, damit dein Team lernt, besser zu entscheiden.',
  decision: 'Entscheidung',
  columns: {
    status: 'Status',
    outcome: 'Ergebnis',
    quality: 'Qualität',
    expected: 'Erwartet bis',
    author: 'Autor',
    created: 'Erstellt',
    changed: 'Geändert',
  },
  overdue: 'überfällig',
  select: (title) => `${title} auswählen`,
  selectAll: 'Alle gezeigten auswählen',
  selectMatching: (count, total) =>
    count === total
      ? `Alle ${number(total)} auswählen, die passen`
      : `Die ersten ${number(count)} von ${number(total)} auswählen`,
  notRestored: (left, of) => `${number(left)} von ${number(of)} Entscheidungen sind nicht wiederhergestellt`,
  notDeleted: (left, of) => `${number(left)} von ${number(of)} Entscheidungen sind nicht gelöscht`,
  deleted: (count) =>
    plural(count, { one: 'Eine Entscheidung ist gelöscht.', other: '# Entscheidungen sind gelöscht.' }),
};
