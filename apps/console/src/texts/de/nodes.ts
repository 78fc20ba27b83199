import type { nodesTexts } from '../nodes.ts';

export const nodes: typeof nodesTexts = {
  types: {
    task: 'Aufgabe',
    doc: 'Dokument',
    table: 'Tabelle',
    thread: 'Diskussion',
    decision: 'Entscheidung',
    automation: 'Automatisierung',
    pulse: 'Puls',
  },
  statuses: {
    backlog: 'Backlog',
    todo: 'Zu erledigen',
    in_progress: 'In Arbeit',
    in_review: 'In Prüfung',
    done: 'Erledigt',
    cancelled: 'Abgebrochen',
  },
};
