import { Alert, Code, Text } from '@mantine/core';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { Panel } from './panel.tsx';

/** Shown when somebody else deleted the open node or edge. */
export function GonePanel(props: { what: 'node' | 'edge'; typed: string[]; onClose: () => void }) {
  const { what, typed, onClose } = props;
  return (
    <Panel title={t.gone.title} onClose={onClose}>
      <Alert color="red" variant="outline" title={t.gone[what]}>
        {typed.length > 0 && <Text size="sm">{t.gone.typed}</Text>}
        {typed.map((text) => (
          <Code block dir="auto" key={text}>
            {text}
          </Code>
        ))}
      </Alert>
    </Panel>
  );
}
