import type { MantineColorsTuple } from '@mantine/core';

/**
 * All sizes, colours and shadows of the console (docs/decisions/0029-look-of-the-console.md says why these).
 * Style sheets use them as `--mantine-spacing-md`, `--mantine-radius-sm` and so on, and as the names of
 * `uses`.
 */

/** Blue with a share of violet; white text on 6 to 9 has at least the contrast of WCAG AA. */
const brand: MantineColorsTuple = [
  '#f1f3ff',
  '#e3e7ff',
  '#c9d0ff',
  '#a6b2ff',
  '#8190fb',
  '#6271f1',
  '#4c58e6',
  '#3d45cf',
  '#3139a8',
  '#272e84',
];

const gray: MantineColorsTuple = [
  '#f7f7f9',
  '#f1f2f5',
  '#e9eaef',
  '#e1e3e9',
  '#d0d3dc',
  '#a3a8b5',
  '#7c8190',
  '#555a68',
  '#393d48',
  '#1b1d25',
];

/** From text (0) over borders (4) and the page (7) to what lies behind it (8). */
const dark: MantineColorsTuple = [
  '#e6e7ec',
  '#b2b5c0',
  '#8c909d',
  '#646875',
  '#33363f',
  '#272a32',
  '#1e2027',
  '#17191e',
  '#0f1014',
  '#0a0b0d',
];

/** On a grid of four pixels. */
const spacing = {
  '2xs': '0.25rem',
  xs: '0.5rem',
  sm: '0.75rem',
  md: '1rem',
  lg: '1.5rem',
  xl: '2rem',
  '2xl': '4rem',
  /** Above and below the content of a row; follows the density. */
  row: 'var(--row-padding)',
};

const radius = { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '2rem' };

/** One scale for all text: 12, 13, 15, 17, 20, 24 pixels. */
const fontSizes = { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' };

const fontWeights = { regular: '400', medium: '500', bold: '600' };

const fontFamily = 'Inter, "Inter fallback", system-ui, sans-serif';

const headings = {
  fontFamily,
  fontWeight: fontWeights.bold,
  textWrap: 'balance' as const,
  sizes: {
    h1: { fontSize: '1.5rem', lineHeight: '1.25' },
    h2: { fontSize: fontSizes.xl, lineHeight: '1.3' },
    h3: { fontSize: fontSizes.lg, lineHeight: '1.35' },
    h4: { fontSize: fontSizes.md, lineHeight: '1.4' },
    h5: { fontSize: fontSizes.sm, lineHeight: '1.5' },
    h6: { fontSize: fontSizes.xs, lineHeight: '1.5' },
  },
};

/** From a button (xs) over what floats (md) to a dialog (xl); `--shade` is darker in the dark theme. */
const shadows = {
  /** A filled button. */
  lit: 'inset 0 1px 0 rgb(255 255 255 / 16%), 0 1px 2px rgb(var(--shade) / 24%)',
  xs: '0 1px 2px rgb(var(--shade) / 6%)',
  sm: '0 1px 3px rgb(var(--shade) / 8%), 0 1px 2px rgb(var(--shade) / 5%)',
  md: '0 8px 20px -6px rgb(var(--shade) / 16%), 0 2px 6px -1px rgb(var(--shade) / 8%)',
  lg: '0 16px 40px -12px rgb(var(--shade) / 22%), 0 3px 8px -2px rgb(var(--shade) / 8%)',
  xl: '0 24px 64px -16px rgb(var(--shade) / 32%), 0 6px 16px -4px rgb(var(--shade) / 10%)',
};

export const tokens = {
  black: gray[9],
  colors: { brand, gray, dark },
  spacing,
  radius,
  fontSizes,
  fontWeights,
  fontFamily,
  headings,
  shadows,
};

type Colors = Record<string, MantineColorsTuple>;

/** Colours by their use, in the light and in the dark theme. All text reaches the contrast of WCAG 2.2 AA. */
export const uses = ({ red, teal }: Colors): Record<string, [light: string, dark: string]> => ({
  '--shade': ['22 24 40', '0 0 0'],
  /** Behind the page: header and navigation. */
  '--frame': [gray[0], dark[8]],
  '--line': [gray[3], dark[4]],
  '--hover': [gray[1], dark[5]],
  /** The open page in the navigation. */
  '--raised': ['#ffffff', dark[5]],
  '--mantine-color-dimmed': [gray[7], dark[1]],
  '--mantine-color-placeholder': [gray[7], dark[1]],
  '--mantine-color-error': [red![9], red![4]],
  '--mantine-color-brand-light': [brand[1], '#262b5c'],
  '--mantine-color-anchor': [brand[7], brand[3]],
  '--mantine-color-red-filled': [red![9], red![9]],
  '--mantine-color-default-hover': [gray[1], dark[5]],
  '--mantine-color-default-color': [gray[9], dark[0]],
  // Marks in charts: at least 3:1 against the page.
  '--chart-good': [teal![8], teal![5]],
  '--chart-bad': [red![8], red![5]],
  '--chart-main': [brand[6], brand[4]],
  '--chart-pale': [brand[2], brand[8]],
  // The canvas.
  '--canvas-refused': [red![8], red![4]],
  '--canvas-line': [gray[4], dark[4]],
  '--canvas-stroke': [gray[6], dark[2]],
});
