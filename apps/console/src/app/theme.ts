import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Of the system: a font from elsewhere would be a request to elsewhere.
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  // build/mantine-styles.ts leaves the other kind out.
  components: { TableScrollContainer: { defaultProps: { type: 'native' } } },
});

/** Text in a hue, and on a wash of it: the outermost shades, where Mantine takes the middle ones. */
function hues(colors: Record<string, readonly string[]>, shade: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).flatMap(([hue, shades]) =>
      ['light-color', 'outline', 'text'].map((use) => [`--mantine-color-${hue}-${use}`, shades[shade]!]),
    ),
  );
}

/** Mantine's own shades of these fall below the contrast that WCAG 2.2 AA asks for. */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...hues(colors, 9),
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': colors.indigo[8],
    '--mantine-color-red-filled': colors.red[9],
    // The wash below the pointer, as on the page that is open.
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
