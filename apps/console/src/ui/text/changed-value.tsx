import { Text } from '@mantine/core';

/** A value before or after a change: text as it is, anything else as JSON. */
export function ChangedValue({ value }: { value?: unknown }) {
  if (value === null || value === undefined) {
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  }
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Text>
  );
}
