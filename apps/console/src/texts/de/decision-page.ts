import type { decisionPageTexts } from '../decision-page.ts';
import { plural, rich } from '../format.ts';

export const decisionPage: typeof decisionPageTexts = {
  title: 'Entscheidung',
  all: 'Alle Entscheidungen',
  replace: 'Ersetzen',
  editSection: (section) => `${section} bearbeiten`,
  pros: 'Vorteile',
  cons: 'Nachteile',

  accept: { act: 'Annehmen', done: 'Die Entscheidung ist angenommen.' },
  remove: {
    title: 'Diese Entscheidung löschen?',
    consequence: (title) =>
      `Das löscht „${title}“ mit Verlauf und Ergebnissen. Gilt sie nur nicht mehr, dann archiviere sie stattdessen.`,
    done: 'Die Entscheidung ist gelöscht.',
  },

  draft: {
    title: 'Du hast eine Änderung dieser Entscheidung nicht gespeichert',
    kept: (when) => rich`Dein Entwurf liegt in diesem Browser, zuletzt geändert ${when}.`,
    open: 'Weiter bearbeiten',
  },

  facts: {
    title: 'Fakten',
    bare: 'Noch ohne Tags, Typ und Entscheider.',
    forecast: 'Prognose',
    afterwards: 'Nachträgliche Konfidenz',
    created: (created) => rich`Erstellt ${created}`,
    times: (created, changed) => rich`Erstellt ${created}, geändert ${changed}`,
  },

  history: {
    title: 'Verlauf',
    version: (version) => `Version ${version}`,
    happened: (version, isNew, actor, when) =>
      rich`${version}, ${isNew ? 'erstellt' : 'geändert'}${actor && ` von ${actor}`}, ${when}`,
    compare: 'Vorher und nachher',
    compareOf: (version) => `Vorher und nachher von Version ${version}`,
  },

  links: {
    title: 'Verknüpfungen',
    none: 'Keine andere Entscheidung ist mit dieser verknüpft. Gilt sie nicht mehr, dann ersetze sie durch eine neue: Beide bleiben verknüpft.',
    related: 'Verwandt',
    chain: 'Entscheidungen, die einander ersetzten, neueste zuerst',
    continues: 'Die Kette geht über diese hinaus weiter.',
  },

  approvals: {
    title: 'Zustimmung',
    none: 'Noch hat sich niemand zu diesem Text geäußert.',
    give: { approve: 'Zustimmen', object: 'Widersprechen', abstain: 'Sich enthalten' },
    given: 'Deine Stellungnahme ist festgehalten.',
    said: {
      approve: (who, when) => rich`${who} hat zugestimmt, ${when}`,
      object: (who, when) => rich`${who} hat widersprochen, ${when}`,
      abstain: (who, when) => rich`${who} hat sich enthalten, ${when}`,
    },
    state: {
      current: 'gilt für diesen Text',
      replaced: 'durch eine spätere Stellungnahme ersetzt',
      voided: 'galt für einen früheren Text und ist durch eine Änderung verfallen',
    },
    notCounted: 'zählt für die Regel nicht',
    hash: 'SHA-256 des Textes',
    compare: 'Was sich geändert hat',
    compareOf: (who) => `Änderungen am Text, seit ${who} ihn gelesen hat`,
    missing: (count, from) =>
      plural(count, {
        one: `Es fehlt # Zustimmung von ${from}.`,
        other: `Es fehlen # Zustimmungen von ${from}.`,
      }),
    anyone: {
      member: 'einem beliebigen Mitglied',
      admin: 'einem beliebigen Admin oder Eigentümer',
      owner: 'einem beliebigen Eigentümer',
    },
    tooFew: (count) =>
      plural(count, {
        one: 'Es fehlt # Zustimmung, und kein genanntes Mitglied kann sie noch geben. Ein Admin kann die Regel ändern.',
        other:
          'Es fehlen # Zustimmungen, und zu wenige genannte Mitglieder können sie noch geben. Ein Admin kann die Regel ändern.',
      }),
    enforced: 'Bis dahin lässt sich diese Entscheidung nicht annehmen.',
    complete: 'Alle Zustimmungen, die der Arbeitsbereich verlangt, liegen vor.',
    asked: (who, when) => rich`Um Zustimmung gebeten: ${who}, ${when}.`,
    ask: 'Um Zustimmung bitten',
    askWhom: 'Wen bittest du?',
    isAsked: 'Die Anfrage ist gesendet.',
    objection: 'Diesem Text widersprechen',
    reason: 'Was müsste sich ändern?',
    stale: 'Der Text hat sich geändert, seit du ihn gelesen hast',
    staleHint: 'Lies ihn auf der Seite noch einmal und nimm dann Stellung.',
  },

  forecasts: {
    title: 'Prognosen',
    open: 'Für wie wahrscheinlich Personen und Agenten einen Erfolg halten, neben der Prognose der Entscheidung.',
    closed: 'Das Ergebnis ist erfasst, Prognosen lassen sich deshalb nicht mehr ändern.',
    none: 'Noch hat niemand eine Prognose abgegeben.',
    hidden: (count) =>
      `${plural(count, {
        one: '# Prognose ist abgegeben.',
        other: '# Prognosen sind abgegeben.',
      })} Du siehst sie, wenn du deine abgegeben hast; ist das Ergebnis erfasst, sehen sie alle.`,
    median: (share, count) =>
      `Median ${share} aus ${plural(count, { one: '# Prognose', other: '# Prognosen' })}`,
    medianMeans: 'Die mittlere Prognose: Die Hälfte der anderen liegt darunter, die Hälfte darüber.',
    extremized: (share) => `Geschärftes Mittel ${share}`,
    extremizedMeans:
      'Das Mittel der Log-Odds mal 1,5, als Wahrscheinlichkeit: Wer Verschiedenes weiß, ist zusammen zu vorsichtig.',
    of: (who, share, when) => rich`${who}: ${share}, ${when}`,
    give: 'Prognose abgeben',
    change: 'Prognose ändern',
    probability: 'Erfolgschance in Prozent',
    reason: 'Begründung für alle, die die Prognose sehen',
    save: 'Prognose speichern',
    given: 'Deine Prognose ist gespeichert.',
    guide: 'Wie Prognosen mit Ergebnissen verglichen werden',
  },

  review: {
    act: 'Überprüfen',
    due: 'Überprüfung fällig',
  },

  outcomes: 'Ergebnisse',
  log: {
    act: 'Ergebnis erfassen',
  },
};
