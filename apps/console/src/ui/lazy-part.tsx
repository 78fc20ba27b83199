import { Alert, Box, Button, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { uiTexts as t } from '../texts/ui.ts';

/**
 * A part that is loaded lazily. If loading fails, the rest of the page stays, and an error is shown: with
 * `onClose` at the top of the window, where it can be dismissed, otherwise in place of the part.
 */
export function LazyPart(props: {
  children: ReactNode;
  onClose?: () => void;
  onCatch?: () => void;
  fallback?: ReactNode;
}) {
  const { children, onClose, fallback, ...boundary } = props;
  return (
    <CatchBoundary
      {...boundary}
      getResetKey={() => 'once'}
      errorComponent={() => <NotLoaded onClose={onClose} />}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

function NotLoaded({ onClose }: { onClose: (() => void) | undefined }) {
  return (
    <Box
      w={360}
      maw="min(100%, calc(100vw - 32px))"
      style={onClose && { position: 'fixed', insetBlockStart: 16, insetInlineEnd: 16, zIndex: 400 }}
    >
      <Alert
        color="red"
        bg="var(--mantine-color-body)"
        role="alert"
        title={t.notLoaded.title}
        withCloseButton={onClose !== undefined}
        closeButtonLabel={t.dismiss}
        {...(onClose && { onClose })}
      >
        <Text size="sm" mb="sm">
          {t.notLoaded.hint}
        </Text>
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          {t.notLoaded.again}
        </Button>
      </Alert>
    </Box>
  );
}
