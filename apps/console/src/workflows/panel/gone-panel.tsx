import { Alert, Code, Text } from '@mantine/core';
import { Panel } from './panel.tsx';

/** Shown when somebody else deleted the open node or edge. */
export function GonePanel(props: { what: 'node' | 'edge'; typed: string[]; onClose: () => void }) {
  const { what, typed, onClose } = props;
  return (
    <Panel title="Deleted" onClose={onClose}>
      <Alert color="red" variant="outline" title={`Somebody deleted this ${what}`}>
        {typed.length > 0 && <Text size="sm">What you had typed, to copy:</Text>}
        {typed.map((text) => (
          <Code block key={text}>
            {text}
          </Code>
        ))}
      </Alert>
    </Panel>
  );
}
