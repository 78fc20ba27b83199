import type { canvasTexts } from '../canvas.ts';
import { number, plural } from '../format.ts';

const ACTS = {
  move: 'verschieben',
  paste: 'einfügen',
  duplicate: 'duplizieren',
  delete: 'löschen',
  align: 'ausrichten',
  distribute: 'verteilen',
};
const FRESH = {
  task: 'Neue Aufgabe',
  doc: 'Neues Dokument',
  table: 'Neue Tabelle',
  thread: 'Neue Diskussion',
  decision: 'Neue Entscheidung',
  automation: 'Neue Automatisierung',
  pulse: 'Neuer Puls',
};
const WAYS: Record<string, string> = {
  up: 'nach oben',
  down: 'nach unten',
  left: 'nach links',
  right: 'nach rechts',
};

export const canvas: typeof canvasTexts = {
  title: 'Workflow',
  loading: 'Der Workflow wird geladen',
  all: 'Alle Workflows',
  viewers: 'Auch hier',
  viewerAt: (name, node) => `${name}, bei „${node}“`,

  add: 'Knoten hinzufügen',
  addTo: (status) => `Knoten hinzufügen: ${status}`,
  fresh: (type) => FRESH[type],
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  undoOf: (change) => `Rückgängig: ${change} (Strg+Z)`,
  redoOf: (change) => `Wiederholen: ${change} (Strg+Umschalt+Z)`,
  noUndo: 'Nichts rückgängig zu machen',
  noRedo: 'Nichts zu wiederholen',
  arrange: 'Anordnen',
  directions: { LR: 'Von links nach rechts', TB: 'Von oben nach unten' },
  goTo: 'Knoten suchen',
  noNode: 'Kein Knoten gefunden',
  canvas: 'Zeichenfläche',
  acyclic: 'Azyklisch',
  acyclicHint: 'Weist Kanten ab, die einen Kreis schließen',
  liveness: { connecting: 'Verbinden…', live: 'Live', refused: 'Kein Zugriff' },
  waiting: (changes) => `Noch nicht gespeichert (${number(changes)})`,
  saving: 'Wird gespeichert…',
  saved: 'Gespeichert',
  unsaved: 'Eingabe noch nicht gespeichert',

  select: 'Auswählen',
  selected: 'ausgewählt',
  selectAll: 'Alle auswählen',
  lasso: 'Durch Ziehen auswählen',
  duplicate: 'Duplizieren',
  align: {
    left: 'Links ausrichten',
    right: 'Rechts ausrichten',
    top: 'Oben ausrichten',
    bottom: 'Unten ausrichten',
    across: 'Horizontal verteilen',
    down: 'Vertikal verteilen',
  },
  deleteKey: 'Entf',

  did: {
    nodes: (act, count) => `${number(count)} Knoten ${ACTS[act]}`,
    add: (title) => `„${title}“ hinzufügen`,
    rename: (title) => `„${title}“ umbenennen`,
    edit: (title) => `„${title}“ bearbeiten`,
    condition: 'Bedingung bearbeiten',
    connect: 'verbinden',
    disconnect: 'trennen',
    arrange: 'anordnen',
  },
  left: (items) =>
    plural(items, {
      one: 'Jemand anderes hat inzwischen ein Element geändert. Es blieb, wie es ist.',
      other: 'Jemand anderes hat inzwischen # Elemente geändert. Sie blieben, wie sie sind.',
    }),
  noLayout: 'Die Knoten konnten nicht angeordnet werden.',

  remove: {
    title: (count) => plural(count, { one: 'Diesen Knoten löschen?', other: '# Knoten löschen?' }),
    consequence: (edges) =>
      `Auch ${plural(edges, {
        one: '# Kante',
        other: '# Kanten',
      })} und die zugehörigen Nachrichten werden gelöscht. „Rückgängig“ stellt Knoten und Kanten ohne Nachrichten wieder her, der Papierkorb alles.`,
    act: () => 'Knoten löschen',
  },
  cycle: 'Das würde einen Zyklus schließen',
  empty: 'Eine leere Arbeitsfläche',
  begin:
    'Beginne mit „Knoten hinzufügen“. Ziehe vom rechten Rand eines Knotens zu einem anderen, um sie zu verbinden.',
  nothing: 'Dieser Workflow ist leer.',
  far: 'Vergrößere die Ansicht, um die Knoten zu sehen und zu ändern.',

  nodeTitle: 'Titel',
  assigned: (name) => `${name} zugewiesen`,
  messages: (shown, count) => `${shown} ${count === 1 ? 'Nachricht' : 'Nachrichten'}`,
  edge: (from, to) => `Von ${from} zu ${to}`,
  always: 'immer',
  roles: { node: 'Knoten', edge: 'Kante' },
  keys: {
    node: 'Pfeiltasten verschieben den Knoten, Enter öffnet ihn, F2 benennt ihn um, C verbindet ihn mit einem anderen, Entf löscht ihn.',
    edge: 'Enter öffnet die Kante, Entf löscht sie.',
  },
  readerKeys: { node: 'Enter öffnet den Knoten.', edge: 'Enter öffnet die Kante.' },
  flow: {
    'controls.ariaLabel': 'Ansicht',
    'controls.zoomIn.ariaLabel': 'Vergrößern',
    'controls.zoomOut.ariaLabel': 'Verkleinern',
    'controls.fitView.ariaLabel': 'Alles zeigen',
    'minimap.ariaLabel': 'Übersicht des Workflows',
    'node.a11yDescription.ariaLiveMessage': ({ direction, x, y }) =>
      `Ausgewählter Knoten ${WAYS[direction] ?? ''} verschoben. Neue Position: x ${x}, y ${y}`,
  },
};
