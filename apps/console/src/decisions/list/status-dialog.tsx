import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import type { Decision, Status } from '../decision-words.ts';

/** Asks before the status of many decisions changes, or of some that have an outcome, and says which stay. */
export function StatusDialog(props: {
  decisions: Decision[];
  status: Status;
  onClose: () => void;
  change: (decisions: Decision[]) => void;
}) {
  const t = decisionFiltersTexts.bulk;
  const { decisions, status, onClose, change } = props;
  const [leaves, setLeaves] = useState(true);
  const others = decisions.filter((decision) => decision.status !== status);
  const open = others.filter(({ outcome }) => outcome === 'pending');
  const closed = others.length - open.length;
  const chosen = leaves ? open : others;
  return (
    <Dialog title={t.statusTitle(chosen.length, words.status[status])} onClose={onClose}>
      <Stack>
        {others.length < decisions.length && (
          <Text size="sm">{t.sameStatus(decisions.length - others.length)}</Text>
        )}
        {closed > 0 && (
          <Checkbox
            label={t.leaveOut(closed)}
            checked={leaves}
            onChange={(event) => setLeaves(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              change(chosen);
              onClose();
            }}
          >
            {t.setStatus}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
