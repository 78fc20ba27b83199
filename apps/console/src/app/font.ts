const ADDRESS = '/assets/inter-7a7b462d.woff2';

/**
 * Loads the font before the first text. A slow connection does without: the rows of a list would be there
 * half a second later.
 */
export function loadFont(): void {
  // `navigator.connection` exists in Chromium only.
  const { connection } = navigator as { connection?: { effectiveType: string } };
  if (connection && connection.effectiveType !== '4g') return;
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: ADDRESS });
  document.head.append(link);
  // Text that is shown without it stays as it is: nothing moves.
  const face = new FontFace('Inter', `url(${ADDRESS})`, { weight: '400 700', display: 'optional' });
  document.fonts.add(face);
}
