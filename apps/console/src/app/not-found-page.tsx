import { Box, VisuallyHidden } from '@mantine/core';
import { Compass } from 'lucide-react';
import { appTexts as t } from '../texts/app.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundPage() {
  return (
    <Box p="md">
      <Page
        title={t.notFound.title}
        heading={<VisuallyHidden component="h1">{t.notFound.title}</VisuallyHidden>}
      >
        <EmptyState
          icon={<Compass />}
          title={t.notFound.nothing}
          action={<ButtonLink to="/">{t.notFound.home}</ButtonLink>}
          hint={t.notFound.hint}
        />
      </Page>
    </Box>
  );
}
