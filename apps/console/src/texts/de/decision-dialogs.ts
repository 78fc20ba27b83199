import type { decisionDialogsTexts } from '../decision-dialogs.ts';

export const decisionDialogs: typeof decisionDialogsTexts = {
  review: {
    title: 'Diese Entscheidung überprüfen',
    result: 'Gilt sie noch?',
    results: {
      reaffirm: 'Ja: bestätigen',
      change: 'Sie muss geändert werden',
      supersede: 'Nein: eine andere Entscheidung ersetzt sie',
    },
    successor: 'Ersetzt durch',
    successorHint: 'Eine Entscheidung, die keine andere ersetzt. Diese hier wird dann archiviert.',
    note: 'Notiz',
    done: 'Die Überprüfung ist festgehalten.',
  },
  log: {
    title: 'Das Ergebnis erfassen',
    choose: 'Wähle, was daraus wurde',
    tooEarly: 'Offen: zu früh erfasst',
    notes: 'Notizen: was geschah, und was du gelernt hast',
    frozen: (forecast) =>
      `Die Prognose war ${forecast}. Sobald ein Ergebnis erfasst ist, bleibt sie, und die Auswertung vergleicht beide.`,
    hindsight: 'Konfidenz im Rückblick, in Prozent',
    hindsightHint: 'Wird mit dem Ergebnis gespeichert. Für die Kalibrierung zählen nur frühere Prognosen',
    done: 'Das Ergebnis ist erfasst.',
  },
};
