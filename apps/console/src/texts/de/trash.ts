import { plural } from '../format.ts';
import type { trashTexts } from '../trash.ts';

export const trash: typeof trashTexts = {
  title: 'Papierkorb',
  explanation:
    'Gelöschtes bleibt hier 30 Tage lang. Ein Eintrag kommt mit allem zurück, was mit ihm gelöscht wurde: eine Entscheidung mit ihren Ergebnissen und ihrer Diskussion, ein Workflow mit seinen Knoten und Kanten.',
  kinds: { decision: 'Entscheidungen', workflow: 'Workflows', node: 'Knoten', message: 'Nachrichten' },
  record: 'Titel',
  deletedBy: 'Gelöscht von',
  deletedAt: 'Gelöscht',
  left: 'Verbleibende Zeit',
  act: 'Zurückholen',
  restore: 'Wiederherstellen',
  restoreOf: (title) => `${title} wiederherstellen`,
  restored: (title) => `„${title}“ ist wiederhergestellt`,
  days: (count) => plural(count, { one: '# Tag', other: '# Tage' }),
  held: 'Vom Betreiber aufbewahrt',
  empty: {
    decision: 'Keine gelöschten Entscheidungen',
    workflow: 'Keine gelöschten Workflows',
    node: 'Keine gelöschten Knoten',
    message: 'Keine gelöschten Nachrichten',
  },
  emptyHint: 'Was du oder andere löschen, ist 30 Tage lang hier und danach endgültig weg.',
};
