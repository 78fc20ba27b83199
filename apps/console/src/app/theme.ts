import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  // System fonts: a web font would need an external request.
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  // build/mantine-styles.ts omits the other kind.
  components: { TableScrollContainer: { defaultProps: { type: 'native' } } },
});

/**
 * Uses the darkest shades for coloured text, also on a light background of the same hue. Mantine uses the
 * middle shades.
 */
function hues(colors: Record<string, readonly string[]>, shade: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).flatMap(([hue, shades]) =>
      ['light-color', 'outline', 'text'].map((use) => [`--mantine-color-${hue}-${use}`, shades[shade]!]),
    ),
  );
}

/** Mantine's shades of these miss the contrast required by WCAG 2.2 AA. */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...hues(colors, 9),
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': colors.indigo[8],
    '--mantine-color-red-filled': colors.red[9],
    // The hover background, as for the open page.
    '--mantine-color-indigo-light-hover': colors.indigo[1],
  },
  dark: {
    ...hues(colors, 2),
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.indigo[3],
    '--mantine-color-red-filled': colors.red[9],
  },
});
