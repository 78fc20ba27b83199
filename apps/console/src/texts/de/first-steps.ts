import type { firstStepsTexts } from '../first-steps.ts';

export const firstSteps: typeof firstStepsTexts = {
  call: 'Ersten Aufruf machen',
  callHint: 'Erstelle einen Schlüssel und füge einen Befehl ein, der ihn benutzt.',
  importDecisions: 'Entscheidungen importieren',
  importHint: 'Hole Entscheidungen aus Markdown-Dateien oder einem anderen Arbeitsbereich.',
  invite: 'Jemanden einladen',
  inviteHint: 'Schicke jemandem aus deinem Team einen Link zum Beitreten.',
  openSample: 'Beispiel öffnen',
  sampleHint: 'Sieh dich in einem eigenen Arbeitsbereich um und entferne ihn danach.',

  sample: {
    title: 'Das ist ein Beispiel',
    hint: 'Ändere, was du willst: Nur du bist Mitglied.',
    remove: 'Beispiel entfernen',
    removeTitle: 'Den Beispiel-Arbeitsbereich entfernen?',
    removeConsequence: 'Das löscht alles darin. Deine anderen Arbeitsbereiche bleiben, wie sie sind.',

    name: 'Beispiel-Arbeitsbereich',
    workflow: 'Die Bestellungen in die neue Datenbank umziehen',
    tasks: ['Daten kopieren', 'Beide eine Woche lang vergleichen', 'Den Shop umstellen'],
    decisions: {
      database: {
        title: 'In welcher Datenbank liegen unsere Bestellungen?',
        description:
          'Bestellungen sind die einzigen Daten, die wir nie verlieren dürfen. Zwei Leute betreiben die Server, und zum Jahresende ist zehnmal so viel los wie an einem normalen Tag.',
        optionsConsidered: [
          {
            title: 'PostgreSQL',
            pros: ['Wir kennen es', 'Transaktionen'],
            cons: ['Die Ausfallsicherung braucht Sorgfalt'],
          },
          {
            title: 'Ein verwalteter Dienst',
            pros: ['Niemand hat dafür Bereitschaft'],
            cons: ['Kostet dreimal so viel'],
          },
        ],
        criteria: ['Keine verlorene Bestellung', 'Zwei Leute können es betreiben'],
        resolution: 'Ein verwalteter Dienst',
        rationale:
          'Ein verwalteter Dienst kostet mehr, aber ein Ausfall in der Nacht kostet noch mehr. Wir bleiben bei PostgreSQL selbst, damit wir zurück können.',
        decisionType: 'Architektur',
        tags: ['Speicher', 'Bestellungen'],
        decidedBy: 'Plattform-Team',
      },
      delivery: {
        title: 'Jeden Pull-Request einzeln in Produktion bringen',
        rationale:
          'Kleine Änderungen sind leichter zu verstehen und zurückzunehmen als ein Release aus zwei Wochen.',
        optionsConsidered: ['Ein Release alle zwei Wochen', 'Jede Änderung einzeln'],
        decisionType: 'Prozess',
        tags: ['Auslieferung'],
        outcomeNotes: 'Im ersten Quartal gab es **ein Drittel** weniger Störungen.',
      },
      designer: {
        title: 'Erst eine Designerin einstellen, dann eine fünfte Entwicklerin',
        rationale: 'Der Support hört jeden Tag dieselben drei Fragen, und alle betreffen die Formulare.',
        decisionType: 'Einstellung',
        tags: ['Personal'],
      },
      price: {
        title: 'Rechnen wir pro Platz oder pro Arbeitsbereich ab?',
        optionsConsidered: ['Pro Platz', 'Pro Arbeitsbereich'],
        tags: ['Preise'],
      },
    },
  },
};
