import type { viewsTexts } from '../views.ts';

export const views: typeof viewsTexts = {
  views: 'Ansichten',
  viewsHint: 'Filtere und sortiere, dann gib der Ansicht einen Namen, um zu ihr zurückzukehren.',
  viewName: 'Ansicht speichern als',
  isShared: 'geteilt',
  share: 'Mit dem Arbeitsbereich teilen',
  unshare: 'Nicht mehr teilen',
  favourite: (name) => `Favorit: ${name}`,
  actionsOf: (name) => `Aktionen für die Ansicht ${name}`,
  makeDefault: 'Die Liste damit öffnen',
  noDefault: 'Die Liste ohne sie öffnen',
  replaceView: 'Durch das Gezeigte ersetzen',
  removeView: 'Ansicht entfernen',
};
