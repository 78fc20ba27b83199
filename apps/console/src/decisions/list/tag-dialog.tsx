import { Autocomplete, Button, Group, Text } from '@mantine/core';
import { limits } from '@waymark/client/facts';
import { useState } from 'react';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form.tsx';

/** Adds a tag to decisions, or removes it from them. */
export function TagDialog(props: {
  count: number;
  tags: string[];
  onClose: () => void;
  change: (tag: string, isAdded: boolean) => void;
}) {
  const t = decisionFiltersTexts.bulk;
  const { count, tags, onClose, change } = props;
  const [text, setText] = useState('');
  const tag = text.trim();
  const apply = (isAdded: boolean) => {
    change(tag, isAdded);
    onClose();
  };
  return (
    <Dialog title={t.tagTitle(count)} onClose={onClose}>
      <Form error={null} onSubmit={() => apply(true)}>
        <Text size="sm">{t.tagHint}</Text>
        <Autocomplete
          label={t.tag}
          data={tags}
          limit={50}
          maxLength={limits.tagCharacters}
          value={text}
          onChange={setText}
        />
        <Group>
          <Button type="submit" disabled={tag === ''}>
            {t.addTag}
          </Button>
          <Button variant="default" disabled={tag === ''} onClick={() => apply(false)}>
            {t.removeTag}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}
