import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Hint } from './hint.ts';

/** A section of a page, with a heading and perhaps a one-line description. */
export function Section(props: { title: string; about?: ReactNode; children: ReactNode }) {
  const { title, about, children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={about ? 0 : 'xs'}>
        {title}
      </Title>
      {about && (
        <Hint mb="sm" maw={720}>
          {about}
        </Hint>
      )}
      {children}
    </section>
  );
}
