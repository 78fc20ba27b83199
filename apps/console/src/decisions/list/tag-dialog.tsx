import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog/dialog.tsx';

/** Adds a tag to decisions, or removes it from them. */
export function TagDialog(props: {
  count: number;
  tags: string[];
  onClose: () => void;
  change: (tag: string, isAdded: boolean) => void;
}) {
  const { count, tags, onClose, change } = props;
  const [text, setText] = useState('');
  const tag = text.trim();
  const apply = (isAdded: boolean) => {
    change(tag, isAdded);
    onClose();
  };
  return (
    <Dialog title={count === 1 ? 'Tag a decision' : `Tag ${count} decisions`} onClose={onClose}>
      <Stack>
        <Text size="sm">Other tags stay as they are.</Text>
        <Autocomplete
          label="Tag"
          data={tags}
          limit={50}
          maxLength={100}
          value={text}
          onChange={setText}
          data-autofocus
        />
        <Group>
          <Button disabled={tag === ''} onClick={() => apply(true)}>
            Add the tag
          </Button>
          <Button variant="default" disabled={tag === ''} onClick={() => apply(false)}>
            Remove the tag
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
