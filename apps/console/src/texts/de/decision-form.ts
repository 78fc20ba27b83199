import type { decisionFormTexts } from '../decision-form.ts';
import { rich } from '../format.ts';

export const decisionForm: typeof decisionFormTexts = {
  newDecision: 'Neue Entscheidung',
  editDecision: 'Entscheidung bearbeiten',
  label: 'Entscheidung',
  score: (score) => `Qualitätswert ${score}`,
  log: 'Entscheidung erfassen',
  logged: 'Die Entscheidung ist erfasst.',
  changed: 'Die Entscheidung ist geändert.',
  replaces: (decision) => rich`Sie ersetzt ${decision}.`,
  before: 'die bisherige Entscheidung',
  keys: 'Strg+Enter speichert, Esc bricht ab',

  questionHint: 'Was ist zu entscheiden?',
  resolutionHint: 'Was gewählt wurde',
  tagsHint: 'Speicher, Kosten',
  typeHint: 'Architektur',
  criteria: 'Kriterien, eines pro Zeile',
  forecast: 'Prognose des Erfolgs, in Prozent',
  titleNeeded: 'Gib ihr einen Titel',
  optionNeeded: 'Benenne die Option',

  options: {
    none: 'Was könnte man sonst tun? Auch nichts zu tun ist eine Option.',
    option: (number) => `Option ${number}`,
    remove: (number) => `Option ${number} entfernen`,
    pros: 'Vorteile, einer pro Zeile',
    cons: 'Nachteile, einer pro Zeile',
    add: 'Option hinzufügen',
  },

  links: {
    supersedesHint: 'Die Entscheidung, die durch diese ersetzt wird',
    related: 'Verwandte Entscheidungen',
    relatedHint: 'Sie verweisen auf diese Entscheidung zurück',
    search: 'Nach Titel suchen',
    searching: 'Suche läuft …',
    noneFound: 'Keine Entscheidung enthält das.',
    unknown: 'Eine unbekannte Entscheidung',
  },

  preview: 'Vorschau',
  previewOf: (label) => `Vorschau: ${label}`,
  previewEmpty: 'Noch nichts zu sehen.',

  draft: {
    from: (when) => rich`Das ist dein Entwurf, zuletzt geändert ${when}.`,
    outdated: 'Die Entscheidung hat sich geändert, seit du diesen Entwurf begonnen hast',
    outdatedHint: (when, version) =>
      rich`Dein Entwurf, zuletzt geändert ${when}, begann mit Version ${version}. Beim Speichern siehst du beide Versionen und wählst.`,
    kept: 'Entwurf gesichert',
    failed: 'Dieser Browser sichert keinen Entwurf dieses Formulars',
  },

  conflict: {
    title: (by) =>
      `${by ?? 'Jemand anderes'} hat diese Entscheidung geändert, während du sie bearbeitet hast`,
    table: 'Deine Version und die andere',
    sides: ['Deine', 'Die andere'],
    unchanged: 'von dir nicht geändert',
    hint: 'Wenn du deine speicherst, bleiben die anderen Änderungen an übrigen Feldern erhalten.',
    takeTheirs: 'Meine verwerfen, die andere nehmen',
    saveMine: 'Meine speichern und die andere überschreiben',
  },
};
