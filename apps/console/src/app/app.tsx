import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { ExpiredSession } from '../session/expired-session.tsx';
import { direction } from '../texts/language.ts';
import { Confirmation } from '../ui/dialog/confirm.tsx';
import { Notices } from '../ui/notify.tsx';
import { nonce } from './nonce.ts';
import { router } from './router.tsx';
import { showFailures } from './show-failures.ts';
import { colorUses, theme } from './theme.ts';

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
