import { Button, Center } from '@mantine/core';
import { uiTexts as t } from '../../texts/ui.ts';

/** Loads the next page of a list. */
export function LoadMore(props: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = props.query;
  if (!hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {t.showMore}
      </Button>
    </Center>
  );
}
