import { Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { threadTexts as t } from '../../texts/thread.ts';
import { Loading } from '../../ui/loading.tsx';
import { useDrafts } from '../../ui/unsaved.ts';

const Thread = lazy(() => import('../../threads/thread.tsx').then((module) => ({ default: module.Thread })));

/** The messages on a decision. */
export function DecisionDiscussion({ id }: { id: string }) {
  const [drafts] = useDrafts<string>();
  return (
    <section aria-labelledby="discussion">
      <Title order={2} size="h4" id="discussion" mb="xs">
        {t.discussion}
      </Title>
      <Suspense fallback={<Loading />}>
        <Thread topic={{ decisionId: id }} drafts={drafts} />
      </Suspense>
    </section>
  );
}
