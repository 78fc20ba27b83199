import type { workflowsTexts } from '../workflows.ts';

export const workflows: typeof workflowsTexts = {
  title: 'Workflows',
  columns: { title: 'Titel', owner: 'Eigentümer', nodes: 'Knoten', changed: 'Geändert' },
  find: 'Workflow suchen',
  noMatch: 'Kein Workflow hat das in seinem Titel.',
  acyclic: 'Azyklisch',
  add: 'Neuer Workflow',
  empty: 'Noch keine Workflows',
  emptyHint:
    'Ein Workflow ist ein Graph der Arbeit: Aufgaben, Dokumente, Entscheidungen und Automatisierungen als Knoten, durch Kanten verbunden. Mehrere Personen können ihn gleichzeitig bearbeiten.',
  deletion: {
    title: (title) => `„${title}“ löschen?`,
    consequence:
      'Auch seine Knoten, Kanten und Diskussionen werden gelöscht. 30 Tage lang kann alles aus dem Papierkorb zurückgeholt werden.',
    act: 'Workflow löschen',
    done: (title) => `„${title}“ wurde gelöscht.`,
  },
  form: {
    change: 'Workflow ändern',
    description: 'Beschreibung',
    acyclicHint: 'Kanten ablehnen, die einen Zyklus schließen',
    create: 'Workflow erstellen',
    created: (title) => `„${title}“ wurde erstellt.`,
    changed: (title) => `„${title}“ wurde geändert.`,
  },
};
