import { number, percent, plural, rich } from '../format.ts';
import type { insightTexts } from '../insight.ts';

export const insight: typeof insightTexts = {
  title: 'Auswertung',
  empty: 'Noch gibt es keine Entscheidungen, aus denen man lernen kann',
  emptyHint:
    'Erfasse Entscheidungen mit Prognose und Datum. Sobald Ergebnisse vorliegen, vergleicht diese Seite deine Konfidenz mit den Ergebnissen.',

  metric: {
    title: 'Kennzahl des Arbeitsbereichs',
    about:
      'Die Kennzahl des Arbeitsbereichs (WMS) ist der Anteil aller Entscheidungen, deren Ergebnis bekannt ist, von 0 bis 100. Jedes erfasste Ergebnis erhöht sie; eine neue Entscheidung senkt sie, bis ihr Ergebnis bekannt ist.',
    value: 'Kennzahl',
    decisions: 'Entscheidungen',
    withOutcome: 'mit Ergebnis',
    overdue: 'Ergebnis überfällig',
    quality: 'mittlerer Qualitätswert',
  },

  trend: {
    title: 'Verlauf',
    about:
      'Die Kennzahl des Arbeitsbereichs zu Beginn jeder Woche. Sie sinkt, wenn Entscheidungen getroffen werden, und steigt mit ihren Ergebnissen.',
    tooEarly: 'Die ersten Entscheidungen sind aus dieser Woche. Das Diagramm beginnt nächste Woche.',
    change: (from, day, to) => rich`Von ${from} am ${day} auf jetzt ${to}.`,
    numbers: 'Die Zahlen der einzelnen Wochen',
    table: 'Kennzahl des Arbeitsbereichs nach Wochen',
    columns: ['Woche vom', 'Kennzahl', 'Entscheidungen', 'Mit Ergebnis'],
    now: 'Jetzt',
    plot: 'Verlauf der Kennzahl; die Zahlen stehen in der Tabelle darunter',
    axis: 'Kennzahl des Arbeitsbereichs, 0 bis 100',
    point: (day, metric, known, decisions) =>
      `${day}: ${number(metric)}, ${number(known)} von ${plural(decisions, {
        one: '# Entscheidung',
        other: '# Entscheidungen',
      })}`,
  },

  calibration: {
    title: 'Kalibrierung',
    about: `Von den Entscheidungen, denen du eine Chance von ${percent(0.7)} gegeben hast, sollten sieben von zehn gelingen. Punkte unter der Diagonale waren zu zuversichtlich, Punkte darüber zu vorsichtig.`,
    tooFew: (needed) =>
      `Dafür braucht es ${needed} Entscheidungen mit Prognose und Ergebnis. Gib die Erfolgschance an, wenn du eine Entscheidung erfasst.`,
    brier: (score, forecasts, rate, constant) =>
      rich`Brier-Score ${score} bei ${number(forecasts)} Prognosen (0 ist perfekt; wer immer ${rate} sagte, den Anteil der Erfolge, käme auf ${constant}).`,
    table: 'Prognosen und Ergebnisse',
    columns: ['Prognose', 'Entscheidungen', 'Mittlere Prognose', 'Erfolge'],
    range: (from, to) => `${from} bis ${to}`,
    plot: 'Kalibrierungsdiagramm; die Zahlen stehen in der Tabelle',
    forecastAxis: 'Prognose, %',
    successAxis: 'Erfolge, %',
    point: (decisions, forecast, succeeded) =>
      `${plural(decisions, {
        one: '# Entscheidung',
        other: '# Entscheidungen',
      })}: Prognose ${forecast}, Erfolge ${succeeded}`,
    legend: {
      point: 'Entscheidungen: je mehr, desto größer',
      limit: 'wie vorhergesagt',
      base: 'Anteil der Erfolge insgesamt',
    },
  },

  overdue: {
    title: 'Überfällig',
    about: 'Diese Ergebnisse sollten inzwischen vorliegen. Erfasse, was geschehen ist.',
    none: 'Nichts ist überfällig.',
    table: 'Überfällige Entscheidungen',
    decision: 'Entscheidung',
    expectedBy: 'Erwartet bis',
    outcome: 'Ergebnis',
    outcomeOf: (title) => `Ergebnis von ${title}`,
    undecided: 'Noch nicht entschieden',
    choose: 'Auswählen',
    log: 'Erfassen',
    logOf: (title) => `Ergebnis von ${title} erfassen`,
    logged: (title) => `Das Ergebnis von „${title}“ ist erfasst.`,
  },

  calendar: {
    title: 'Kalender-Feed',
    about:
      'Zeigt überfällige und erwartete Ergebnisse in deinem eigenen Kalenderprogramm, das eine private Adresse abonniert. Eine neue Adresse ersetzt die vorige, und ein neues Passwort beendet sie.',
    newAddress: 'Neue Adresse',
    address: 'Adresse',
    addressNote:
      'Wer diese Adresse hat, kann die Titel der fälligen Entscheidungen dieses Arbeitsbereichs lesen.',
    addressHint: 'In den meisten Kalenderprogrammen: einen Kalender hinzufügen, von einer Adresse (URL).',
    end: 'Feed beenden',
    endTitle: 'Deinen Kalender-Feed widerrufen?',
    endConsequence: 'Kalender mit dieser Adresse werden nicht mehr aktualisiert.',
    ended: 'Die Adresse funktioniert nicht mehr.',
  },
};
