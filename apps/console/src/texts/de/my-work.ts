import type { myWorkTexts } from '../my-work.ts';

export const myWork: typeof myWorkTexts = {
  title: 'Meine Arbeit',
  overdue: 'Überfällig',
  waiting: 'Wartet auf dich',
  assigned: 'Dir zugewiesen',
  decision: 'Entscheidung',
  todo: 'Was zu tun ist',
  todos: {
    decide: 'Entscheiden',
    log: 'Ergebnis festhalten',
    review: 'Überprüfen',
    approve: 'Zustimmen oder widersprechen',
  },
  due: 'Fällig',
  node: 'Knoten',
  status: 'Status',
  changed: 'Geändert',
  empty: 'Nichts wartet auf dich',
  emptyHint:
    'Hier findest du Entscheidungen, die dich als Entscheider nennen, Zustimmungen, um die du gebeten bist, überfällige Ergebnisse, Überprüfungen, die binnen zwei Wochen fällig sind, und Knoten von Workflows, die dir zugewiesen sind, bis sie erledigt sind.',
  toDecisions: 'Alle Entscheidungen',
};
