import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { appTexts as t } from '../texts/app.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundPage() {
  return (
    <Box p="md">
      <Page title={t.notFound.title}>
        <EmptyState
          icon={<Compass />}
          title={t.notFound.nothing}
          action={
            <Button component={Link} to="/">
              {t.notFound.home}
            </Button>
          }
        >
          {t.notFound.hint}
        </EmptyState>
      </Page>
    </Box>
  );
}
