import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundPage() {
  return (
    <Box p="md">
      <Page title="Page not found">
        <EmptyState
          icon={<Compass />}
          title="There is nothing at this address"
          action={
            <Button component={Link} to="/">
              Go to your workspace
            </Button>
          }
        >
          It may have been deleted, or it belongs to a workspace of which you are not a member.
        </EmptyState>
      </Page>
    </Box>
  );
}
