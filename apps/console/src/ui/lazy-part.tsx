import { Alert, Box, Button, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';

/** A lazily loaded part outside pages. If loading fails, it shows an error and the page remains. */
export function LazyPart(props: { children: ReactNode; onClose?: () => void; fallback?: ReactNode }) {
  const { children, onClose, fallback } = props;
  return (
    <CatchBoundary getResetKey={() => 'once'} errorComponent={() => <NotLoaded onClose={onClose} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  );
}

function NotLoaded({ onClose }: { onClose: (() => void) | undefined }) {
  return (
    <Box pos="fixed" top={16} right={16} w={360} maw="calc(100vw - 32px)" style={{ zIndex: 400 }}>
      <Alert
        color="red"
        role="alert"
        title="A part of Waymark did not load"
        withCloseButton={onClose !== undefined}
        closeButtonLabel="Dismiss"
        {...(onClose && { onClose })}
      >
        <Text size="sm" mb="sm">
          Nothing was changed. Check your connection, copy your input, then reload the page.
        </Text>
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </Alert>
    </Box>
  );
}
