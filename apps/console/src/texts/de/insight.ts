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
      'Die Kennzahl des Arbeitsbereichs zu Beginn jeder Woche. Sie sinkt, wenn Entscheidungen getroffen werden, und steigt mit ihren Ergebnissen. Die laufende Woche ist gestrichelt.',
    tooEarly: 'Die ersten Entscheidungen sind aus dieser Woche. Das Diagramm beginnt nächste Woche.',
    change: (from, day, to) => rich`Von ${from} am ${day} auf jetzt ${to}.`,
    numbers: 'Die Zahlen der einzelnen Wochen',
    table: 'Kennzahl des Arbeitsbereichs nach Wochen',
    columns: ['Woche vom', 'Kennzahl', 'Entscheidungen', 'Mit Ergebnis'],
    now: 'Jetzt',
    running: 'Laufende Woche',
    period: 'Zeitraum',
    periods: { 13: 'Drei Monate', 26: 'Ein halbes Jahr', 52: 'Ein Jahr', 104: 'Zwei Jahre' },
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

  forecasters: {
    title: 'Prognosen von Personen und Agenten',
    about:
      'Die jeweils letzte Prognose vor dem Ergebnis, verglichen mit ihm. Fälle sind Entscheidungen mit einer solchen Prognose, deren Ergebnis Erfolg, Teilerfolg oder Misserfolg ist.',
    none: 'Keine Entscheidung mit Ergebnis hat eine Prognose, die eine Person oder ein Agent abgegeben hat. Gib deine auf der Seite einer Entscheidung ab.',
    all: 'Alle zusammen',
    forecaster: 'Person oder Agent',
    type: 'Typ',
    tag: 'Tag',
    table: (by) => `Prognosen und Ergebnisse: ${by}`,
    cases: 'Fälle',
    figures: {
      brier_score: 'Brier-Score',
      skill: 'Skill-Score',
      reliability: 'Zuverlässigkeit',
      resolution: 'Auflösung',
    },
    means: {
      brier_score:
        'Der mittlere quadrierte Abstand zwischen Prognose und Ergebnis. 0 ist perfekt; wer immer 50 % sagt, hat 0,25.',
      skill:
        'Wie viel besser der Brier-Score ist, als wenn man immer den Anteil der Erfolge sagte: 1 ist perfekt, 0 nicht besser, unter 0 schlechter.',
      reliability:
        'Wie weit Prognosen von dem Anteil entfernt sind, der von ihresgleichen eintraf. 0 ist am besten: Von den Prognosen um 80 % trafen acht von zehn ein.',
      resolution:
        'Wie weit die eingetroffenen Anteile hoher und niedriger Prognosen auseinanderliegen. Höher ist besser: Die Prognosen unterscheiden Entscheidungen.',
    },
    tooFew: (cases, needed) => `noch nicht genug Fälle (${cases} von ${needed})`,
    guide: 'Wie Prognosen mit Ergebnissen verglichen werden',
  },

  success: {
    title: 'Qualitätswert und Erfolg',
    about: 'Ob Entscheidungen mit höherem Qualitätswert öfter gelangen. Über Ursachen sagt das nichts.',
    tooFew: (needed) =>
      `Dafür braucht es ${needed} Entscheidungen mit Ergebnis und niedrigem Wert und ${needed} mit hohem.`,
    withSuccess: 'Ein höherer Wert ging hier mit Erfolg einher.',
    notShown: 'Es zeigt sich hier nicht, dass ein höherer Wert mit Erfolg einhergeht.',
    withFailure: 'Ein höherer Wert ging hier mit Misserfolg einher.',
    compared: (high, low, highCases, lowCases) =>
      `Von ${number(highCases)} Entscheidungen mit hohem Wert gelangen ${high}, von ${number(lowCases)} mit niedrigem ${low}.`,
    difference: (points, range) =>
      `Der Unterschied beträgt ${points} Prozentpunkte (95-%-Intervall: ${range}).`,
    table: 'Erfolg nach Qualitätswert',
    columns: ['Wert', 'Fälle', 'Erfolge', '95-%-Intervall'],
    bands: { low: 'niedrig: unter 40', middle: 'mittel: 40 bis unter 70', high: 'hoch: ab 70' },
    range: (from, to) => `${from} bis ${to}`,
    interval: '95-%-Intervall',
    intervalMeans:
      'Die Werte, die nach diesen Fällen plausibel sind; bei wenigen Fällen liegen sie weit auseinander. Ein Unterschied zeigt sich, wenn sein Intervall die 0 nicht enthält.',
    guide: 'Wie der Qualitätswert mit Erfolg verglichen wird',
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
