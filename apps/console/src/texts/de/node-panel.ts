import { rich } from '../format.ts';
import type { nodePanelTexts } from '../node-panel.ts';

export const nodePanel: typeof nodePanelTexts = {
  close: 'Seitenleiste schließen',
  gone: {
    title: 'Gelöscht',
    node: 'Jemand hat diesen Knoten gelöscht',
    edge: 'Jemand hat diese Kante gelöscht',
    typed: 'Was du eingegeben hattest, zum Kopieren:',
  },

  tabs: { details: 'Einzelheiten', thread: 'Diskussion' },
  fields: { title: 'Titel', status: 'Status', assigned_to: 'Zugewiesen an', data: 'Daten' },
  nobody: 'Niemand',
  assigned: (name) => `Zugewiesen an: ${name ?? 'niemand'}`,
  externalId: (id) => `Externe ID: ${id}`,
  dataHint: 'Deine eigenen Felder, als JSON-Objekt',
  notObject: 'Das muss ein Objekt sein: { "name": "Wert" }',
  notJson: (reason) => `Das ist kein gültiges JSON: ${reason}`,
  discard: 'Verwerfen',
  saved: 'Gespeichert.',
  connectTo: 'Verbinden mit…',
  remove: 'Knoten löschen',
  move: {
    title: 'Verschieben',
    left: 'Nach links verschieben',
    up: 'Nach oben verschieben',
    down: 'Nach unten verschieben',
    right: 'Nach rechts verschieben',
  },

  changed: 'Jemand hat diesen Knoten inzwischen geändert',
  changedHint: 'Deine Eingabe ist noch da. Überschreibe damit die andere Fassung, oder übernimm diese.',
  theirs: (field, value) => `${field} (andere Fassung): ${value}`,
  takeTheirs: 'Andere Fassung übernehmen',
  takeTheirsOf: (field) => `Andere Fassung übernehmen: ${field}`,
  saveMine: 'Meine Fassung speichern',

  edge: {
    title: 'Kante',
    ends: (from, to) => rich`Von ${from} zu ${to}`,
    changed: 'Jemand hat die Bedingung inzwischen geändert',
    noneNow: 'Sie hat jetzt keine.',
    none: 'Ohne Bedingung.',
    disconnect: 'Trennen',
  },
  condition: 'Bedingung',
  conditionHint: 'Wann die Kante genommen wird, als JSON; leer für immer',
  connect: {
    title: (from) => `„${from}“ verbinden`,
    to: 'Mit',
    node: 'Titel eines Knotens',
    act: 'Verbinden',
    allConnected: 'Dieser Knoten führt bereits zu jedem anderen.',
    noOther: 'Es gibt noch keinen anderen Knoten. Zuerst braucht es einen weiteren.',
  },
};
