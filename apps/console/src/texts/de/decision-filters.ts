import type { decisionFiltersTexts } from '../decision-filters.ts';
import { number, plural } from '../format.ts';

export const decisionFilters: typeof decisionFiltersTexts = {
  label: 'Entscheidungen filtern',
  addFilter: 'Filter hinzufügen',
  titleContains: 'Titel enthält',
  status: 'Status',
  outcome: 'Ergebnis',
  tag: 'Tag',
  type: 'Typ',
  author: 'Autor',
  unknownAuthor: (id) => `Unbekannt ${id}`,
  overdue: 'Überfällig',
  days: {
    createdFrom: 'Erstellt ab',
    createdTo: 'Erstellt vor',
    expectedFrom: 'Erwartet ab',
    expectedTo: 'Erwartet vor',
  },
  sortBy: 'Sortieren nach',
  sorts: {
    '-created_at': 'Neueste',
    '-updated_at': 'Zuletzt geändert',
    expected_by: 'Erwartet bis',
    '-quality_score': 'Beste Qualität',
    title: 'Titel',
  },
  chips: 'Gesetzte Filter',
  chip: (field, value) => `${field}: ${value}`,
  removeFilter: (filter) => `Filter entfernen: ${filter}`,
  clearAll: 'Alle entfernen',
  count: (decisions) => plural(decisions, { one: '# Entscheidung', other: '# Entscheidungen' }),

  columns: 'Spalten',
  columnsOf: 'Spalten der Liste',

  bulk: {
    label: 'Ausgewählte Entscheidungen',
    selected: (count) => `${number(count)} ausgewählt`,
    setStatus: 'Status setzen',
    tag: 'Tag',
    exportCsv: 'CSV exportieren',
    exportName: 'ausgewählte Entscheidungen',
    exportMost: (most) => `Höchstens ${most} auf einmal`,
    clear: 'Auswahl aufheben',
    progress: (done, of) => `${done} von ${of} geändert`,
    waiting: (done, of, seconds) =>
      `${done} von ${of} geändert; das Ratenlimit lässt die übrigen in ${seconds} s zu`,
    notChanged: (left, of) => `${number(left)} von ${number(of)} Entscheidungen sind nicht geändert`,
    changed: (count) =>
      plural(count, { one: 'Eine Entscheidung ist geändert.', other: '# Entscheidungen sind geändert.' }),
    restored: (count) =>
      plural(count, { one: 'Eine Entscheidung ist wie zuvor.', other: '# Entscheidungen sind wie zuvor.' }),
    statusTitle: (count, status) =>
      plural(count, {
        one: `Eine Entscheidung auf „${status}“ setzen`,
        other: `# Entscheidungen auf „${status}“ setzen`,
      }),
    sameStatus: (count) =>
      plural(count, { one: 'Eine hat diesen Status schon.', other: '# haben diesen Status schon.' }),
    leaveOut: (count) =>
      plural(count, {
        one: 'Die eine auslassen, die ein Ergebnis hat',
        other: 'Die # auslassen, die ein Ergebnis haben',
      }),
    deleteTitle: (count) => `${number(count)} Entscheidungen löschen`,
    deleteConsequence: 'Ergebnisse, Zustimmungen, Verlauf und Diskussionen werden mit gelöscht.',
    tagTitle: (count) =>
      plural(count, { one: 'Tag für eine Entscheidung', other: 'Tag für # Entscheidungen' }),
    tagHint: 'Andere Tags bleiben, wie sie sind.',
    addTag: 'Tag hinzufügen',
    removeTag: 'Tag entfernen',
  },
};
