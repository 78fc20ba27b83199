import type { deliveriesTexts } from '../deliveries.ts';
import { number, plural, rich } from '../format.ts';

const attemptOf = (attempt: number, series: number) =>
  `Versuch ${attempt}${series > 1 ? ` der Serie ${series}` : ''}`;

export const deliveries: typeof deliveriesTexts = {
  title: 'Zustellungen',
  status: {
    pending: 'ausstehend',
    delivered: 'zugestellt',
    failed: 'gescheitert',
    held: 'zurückgehalten',
    cancelled: 'abgebrochen',
  },
  filters: { status: 'Status', event: 'Ereignis' },
  columns: ['Ereignis', 'Status', 'Versuche', 'Erstellt', 'Aktionen'],
  attemptsOf: (attempt, max, series) =>
    `${attempt} von ${max}${series > 1 ? `, ${series - 1}× erneut gesendet` : ''}`,
  empty: 'Noch wurde nichts gesendet. Sende einen Test oder löse eines der Ereignisse aus.',
  noMatch: 'Keine Zustellung passt zu den Filtern.',

  accepted: 'angenommen',
  meanings: {
    accepted: 'Ereignisse für den Endpunkt',
    delivered: 'mit Erfolg beantwortet',
    pending: 'warten auf einen Versuch',
    failed: 'aufgegeben',
    held: 'aufbewahrt, weil deaktiviert',
  },

  chart: {
    loading: 'Das Diagramm wird gezeichnet',
    title: 'Versuche der letzten zwei Tage',
    about: (succeeded, failed, slowestMs) =>
      `${number(succeeded)} erfolgreich, ${number(failed)} gescheitert; in der langsamsten Stunde hatten 95 von 100 ihre Antwort innerhalb von ${number(slowestMs)} ms.`,
    hour: 'Stunde',
    attempts: 'Versuche pro Stunde nach Ergebnis',
    attemptsUnit: 'Versuche pro Stunde',
    succeeded: 'erfolgreich',
    failed: 'gescheitert',
    latency: 'Antwortzeit nach Stunde',
    latencyUnit: 'Millisekunden',
    p95: '95 von 100 innerhalb',
    p50: 'die Hälfte innerhalb',
  },

  delivery: {
    title: 'Zustellung',
    of: (event) => `Zustellung von ${event}`,
    endpoint: 'Zum Endpunkt',
    state: ({ attempt, max_attempts, series }, created, next) =>
      rich`Versuch ${attempt} von ${max_attempts}${series > 1 && ` in Serie ${series}`}, erstellt am ${created}${next && rich`, der nächste am ${next}`}`,
    body: 'Inhalt',
    bodyHint:
      'Der Inhalt, wie ihn der letzte Versuch gesendet hat. Die Signaturen gelten für seine Bytes und die Zeit des Versuchs. Hier ist er zum Lesen formatiert.',
    bodyOf: 'Inhalt der Anfrage',
    copy: 'Kopieren wie gesendet',
    attempts: 'Versuche',
    noAttempts: 'Noch keine.',
  },

  attempt: {
    title: attemptOf,
    noAnswer: 'keine Antwort',
    duration: (at, latencyMs) => rich`${at}, ${number(latencyMs)} ms`,
    sent: 'Gesendet',
    sentIn: (attempt, series) => `Gesendet in ${attemptOf(attempt, series)}`,
    answered: 'Geantwortet',
    answeredIn: (attempt, series) => `Geantwortet in ${attemptOf(attempt, series)}`,
    status: (status) => `Status ${status}`,
    noBody: 'Die Antwort hatte keinen Inhalt.',
    noHeaders: 'Die Header wurden nicht aufbewahrt.',
  },

  replay: {
    act: 'Erneut senden',
    of: (event) => `Erneut senden: ${event}`,
    now: 'Jetzt senden',
    nowOf: (event) => `Jetzt senden: ${event}`,
    done: (count) =>
      plural(count, {
        one: 'Eine Zustellung wird erneut gesendet.',
        other: '# Zustellungen werden erneut gesendet.',
      }),
    doneOne: 'Die Zustellung wird erneut gesendet.',
    title: 'Zustellungen erneut senden',
    hint: 'Jede behält ihre ID, damit dein Endpunkt Doppelte erkennt. Die ältesten zuerst.',
    which: 'Welche',
    statuses: {
      failed: 'Gescheitert: keine Versuche mehr übrig',
      held: 'Zurückgehalten: kamen, während der Endpunkt deaktiviert war',
      delivered: 'Zugestellt: vom Empfänger mit Erfolg beantwortet',
    },
    since: 'Ereignisse seit',
    running: 'Wird erneut gesendet',
    soFar: (count) => `bisher ${number(count)}`,
  },
};
