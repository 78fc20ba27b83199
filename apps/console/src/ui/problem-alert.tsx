import { Alert, Anchor, Box, Button, CopyButton, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { onRenewal } from '../api/expiry.ts';
import { problemOf } from '../api/problem.ts';
import { uiTexts as t } from '../texts/ui.ts';
import { lazyPart } from './lazy-page.ts';
import { LazyPart } from './lazy-part.tsx';
import { useShownOnPage } from './notify.tsx';

const WaysOn = lazyPart(() => import('./ways-on.tsx'));

/** An error message with the request id for support. */
export function ProblemAlert(props: {
  error: unknown;
  retry?: () => void;
  /** The fields that show their messages themselves. */
  fields?: string[];
  /** The meanings of error codes that have another meaning here than usual. */
  titles?: Record<string, string> | undefined;
}) {
  const { error, retry, fields = [], titles } = props;
  const { title, detail, requestId, docs, isFinal, isExpiry, ...problem } = problemOf(error, titles);
  useShownOnPage(error);
  // "You are signed out" is wrong once the user has signed in again.
  const [outdated, setOutdated] = useState<unknown>(null);
  useEffect(() => onRenewal(() => setOutdated(error)), [error]);
  if (outdated === error && isExpiry) return null;
  const issues = problem.issues.filter(({ path }) => !fields.includes(path.split('.')[0] ?? path));
  const isAtFields = issues.length === 0 && problem.issues.length > 0;
  return (
    <Alert color="red" title={title} icon={<CircleAlert />} role="alert">
      {issues.length === 0 && <Text size="sm">{isAtFields ? t.problem.correct : detail}</Text>}
      {issues.length > 0 && (
        <Box component="ul" fz="sm" m={0} ps="lg">
          {issues.map(({ path, name, message }) => (
            <li key={`${path} ${message}`}>
              <strong>{name}</strong>: {message}
            </li>
          ))}
        </Box>
      )}
      <Group mt="sm" gap="sm">
        {retry && !isFinal && (
          <Button size="xs" variant="default" onClick={retry}>
            {t.tryAgain}
          </Button>
        )}
        {retry && isFinal && (
          <LazyPart>
            <WaysOn />
          </LazyPart>
        )}
        {requestId && !isAtFields && (
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy} title={requestId}>
                {copied ? t.copied : t.problem.copyRequest}
              </Button>
            )}
          </CopyButton>
        )}
        {docs && !isAtFields && (
          <Anchor size="sm" href={docs} target="_blank">
            {t.problem.docs}
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}
