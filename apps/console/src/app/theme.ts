import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { uiTexts as t } from '../texts/ui.ts';
import { tokens, uses } from './tokens.ts';

export const theme = createTheme({
  ...tokens,
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: {
      defaultProps: { radius: 'sm', tt: 'none' },
      vars: () => ({
        root: { '--badge-fz': 'var(--mantine-font-size-xs)', '--badge-height': '1.375rem' },
      }),
    },
    Alert: { defaultProps: { radius: 'md' } },
    ModalRoot: { defaultProps: { radius: 'lg', shadow: 'xl', transitionProps: { duration: 140 } } },
    Notification: { defaultProps: { radius: 'md' } },
    // A function, because the translation arrives later.
    PasswordInput: {
      defaultProps: () => ({ visibilityToggleButtonProps: { 'aria-label': t.togglePassword } }),
    },
    Paper: { defaultProps: { radius: 'md' } },
    Menu: { defaultProps: { shadow: 'md', radius: 'md' } },
    Popover: { defaultProps: { shadow: 'md', radius: 'md' } },
  },
});

/** The darkest shades for coloured text, also on a light background of the same hue. */
function hues(colors: Record<string, readonly string[]>, shade: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).flatMap(([hue, shades]) =>
      ['light-color', 'outline', 'text'].map((use) => [`--mantine-color-${hue}-${use}`, shades[shade]!]),
    ),
  );
}

/** Mantine's own choices for some uses miss the contrast required by WCAG 2.2 AA. */
export const colorUses: CSSVariablesResolver = ({ colors }) => {
  const entries = Object.entries(uses(colors));
  const inTheme = (nth: 0 | 1) => Object.fromEntries(entries.map(([name, values]) => [name, values[nth]]));
  return {
    variables: {},
    light: { ...hues(colors, 9), ...inTheme(0) },
    dark: { ...hues(colors, 2), ...inTheme(1) },
  };
};
