const ENABLED = 'waymark.shortcuts';

/** People who speak to their computer can turn single keys off (WCAG 2.1.4). */
export const areOn = () => localStorage.getItem(ENABLED) !== 'off';
export const turn = (on: boolean) => localStorage.setItem(ENABLED, on ? 'on' : 'off');
