import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { ExpiredSession } from '../session/expired-session.tsx';
import { nonce } from './nonce.ts';
import { router } from './router.tsx';
import { readableColors, theme } from './theme.ts';

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={readableColors}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
          <ExpiredSession />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
