import { type CSSVariablesResolver, createTheme, DirectionProvider, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { onRenewal } from '../api/expiry.ts';
import { queryClient } from '../api/query-client.ts';
import { ExpiredSession } from '../session/expired-session.tsx';
import { direction } from '../texts/language.ts';
import { uiTexts as t } from '../texts/ui.ts';
import { Confirmation } from '../ui/dialog/confirm.tsx';
import { dismissFailures, Notices, notifyProblem } from '../ui/notify.tsx';
import { nonce } from './nonce.ts';
import { router } from './router.tsx';
import { tokens, uses } from './tokens.ts';

showFailures(queryClient);

export function App() {
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={colorUses}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Notices />
          <RouterProvider router={router} />
          <ExpiredSession />
          <Confirmation />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

/**
 * Shows why a mutation failed, with a button that repeats it, unless the page shows the error itself. So no
 * control can forget to, and a form that was closed meanwhile does not fail unseen.
 */
function showFailures(queryClient: QueryClient): void {
  onRenewal(dismissFailures);
  const cache = queryClient.getMutationCache();
  cache.subscribe((event) => {
    // A change by the same control makes the offer to repeat this one wrong. If the control has gone, only
    // the notice has its input.
    if (event.type === 'observerRemoved' && event.observer.hasListeners()) dismissFailures(event.mutation);
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    const { mutation } = event;
    // Its user has signed out.
    if (!cache.getAll().includes(mutation)) return;
    const { error } = event.action;
    // The user has cancelled it.
    if (error instanceof Error && error.name === 'AbortError') return;
    const repeat = () => void mutation.execute(mutation.state.variables).catch(() => undefined);
    // By the next task, the page has rendered its own alert.
    setTimeout(() => notifyProblem(error, { repeat, of: mutation }));
  });
}

const theme = createTheme({
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
      vars: () => ({ root: { '--badge-fz': 'var(--mantine-font-size-xs)', '--badge-height': '1.375rem' } }),
    },
    Alert: { defaultProps: { radius: 'md', variant: 'outline' } },
    // A landmark contains all of a page.
    Combobox: { defaultProps: { portalProps: { target: 'main' } } },
    // A list box contains an option.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    ModalRoot: { defaultProps: { radius: 'lg', shadow: 'xl', transitionProps: { duration: 140 } } },
    Notification: { defaultProps: { radius: 'md' } },
    // A function, because the translation arrives later.
    PasswordInput: {
      defaultProps: () => ({ visibilityToggleButtonProps: { 'aria-label': t.togglePassword } }),
    },
    Paper: { defaultProps: { radius: 'md' } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        // A menu contains only items, and is in a landmark.
        withInitialFocusPlaceholder: false,
        portalProps: { target: 'main' },
      },
    },
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
const colorUses: CSSVariablesResolver = ({ colors }) => {
  const entries = Object.entries(uses(colors));
  const inTheme = (nth: 0 | 1) => Object.fromEntries(entries.map(([name, values]) => [name, values[nth]]));
  return {
    variables: {},
    light: { ...hues(colors, 9), ...inTheme(0) },
    dark: { ...hues(colors, 2), ...inTheme(1) },
  };
};
