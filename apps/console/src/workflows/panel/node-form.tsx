import { Alert, Autocomplete, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { limits } from '@waymark/client/facts';
import { useEffect, useMemo, useState } from 'react';
import { hasCode } from '../../api/client.ts';
import { entryFor, nameIn } from '../../api/person-entry.ts';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { nodesTexts } from '../../texts/nodes.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Form } from '../../ui/form.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import type { Drafts } from '../../ui/unsaved.ts';
import { usePeople } from '../../workspace/people.ts';
import type { Graph, NodeRecord, NodeStatus } from '../graph/graph.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { STATUSES } from '../node-kinds.ts';
import {
  conflictsOf,
  type Draft,
  type DraftValues,
  draftOf,
  editsOf,
  type FormField,
  rebase,
  typedSince,
} from './draft.ts';
import { JsonInput } from './json-input.tsx';
import { parseObject } from './json-object.ts';

const SUGGESTED_MAX = 50;

/** Unlike `disabled`, this keeps the focus after saving by keyboard. */
const UNAVAILABLE = { 'data-disabled': true, 'aria-disabled': true };

/** The form of a node. Input outlives the panel and changes by others. */
export function NodeForm(props: {
  node: NodeRecord;
  /** Whether to select the title, which has yet to be typed. */
  isNew: boolean;
  onSelected: () => void;
  graph: Graph;
  store: GraphStore;
  drafts: Drafts<Draft>;
}) {
  const { node, isNew, onSelected, graph, store, drafts } = props;
  const [draft, setDraft] = useState<Draft>(() => drafts.get(node.id) ?? draftOf(node));
  const [problem, setProblem] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const edits = editsOf(draft);
  const dataProblem = parseObject(draft.values.data).problem;
  const isDirty = Object.keys(edits).length > 0 || dataProblem !== null;
  const maySave = isDirty && dataProblem === null;
  const overlap = conflictsOf(draft, node);
  const theirs = draftOf(node).values;

  useEffect(() => {
    if (isDirty) drafts.set(node.id, draft);
    else drafts.delete(node.id);
  }, [drafts, draft, isDirty, node.id]);

  useEffect(() => {
    setDraft((known) => {
      const isNews = node.version > known.seen.version && conflictsOf(known, node).length === 0;
      return isNews ? rebase(known, node) : known;
    });
  }, [node]);

  const people = usePeople() ?? [];
  const used = useMemo(
    () => [...graph.nodes.values()].flatMap(({ assigned_to }) => assigned_to ?? []),
    [graph.nodes],
  );
  const assignees = new Set([...people.map(({ name }) => name), ...used.map((one) => nameIn(people, one))]);
  const set = (values: Partial<DraftValues>) =>
    setDraft((known) => ({ ...known, values: { ...known.values, ...values } }));

  const inWords = (name: FormField) =>
    name === 'status' ? nodesTexts.statuses[theirs.status] : nameIn(people, theirs[name]) || t.nobody;

  function submit(): void {
    if (!maySave) return;
    const mine = overlap.length > 0 ? rebase(draft, node) : draft;
    setDraft(mine);
    void save(mine);
  }

  async function save(wanted: Draft): Promise<void> {
    setSaving(true);
    setProblem(null);
    try {
      await store.saveNode(wanted.seen, editsOf(wanted));
      const latest = store.state().graph.nodes.get(node.id) ?? node;
      setDraft((known) => (known === wanted ? draftOf(latest) : typedSince(wanted, known, latest)));
      notifyDone(t.saved);
    } catch (error) {
      if (hasCode(error, 'PRECONDITION_FAILED')) await reconcile(wanted);
      else setProblem(error);
    } finally {
      setSaving(false);
    }
  }

  /** Somebody else saved first: merges different fields; the form asks the user to choose among the same. */
  async function reconcile(wanted: Draft): Promise<void> {
    const latest = await store.readNode(node.id).catch(setProblem);
    if (!latest) return;
    if (conflictsOf(wanted, latest).length > 0) return;
    const joined = rebase(wanted, latest);
    setDraft((known) => (known === wanted ? joined : rebase(known, latest)));
    return save(joined);
  }

  return (
    <Form onSubmit={submit} error={problem} gap="sm">
      {overlap.length > 0 && (
        <Alert color="red" variant="outline" role="alert" title={t.changed}>
          <Text size="sm">{t.changedHint}</Text>
          {overlap.map((name) => (
            <Group key={name} mt="xs" gap="xs" justify="space-between">
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {t.theirs(t.fields[name], inWords(name))}
              </Text>
              <RowButton
                aria-label={t.takeTheirsOf(t.fields[name])}
                onClick={({ currentTarget: { form } }) => {
                  set({ [name]: theirs[name] });
                  // The button goes with its line.
                  (form!.elements.namedItem(name) as HTMLElement).focus();
                }}
              >
                {t.takeTheirs}
              </RowButton>
            </Group>
          ))}
        </Alert>
      )}
      <TextInput
        label={t.fields.title}
        name="title"
        required
        maxLength={limits.titleCharacters}
        autoFocus={isNew}
        onFocus={({ currentTarget }) => {
          if (isNew) currentTarget.select();
          onSelected();
        }}
        value={draft.values.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <NativeSelect
        label={t.fields.status}
        name="status"
        data={STATUSES.map((value) => ({ value, label: nodesTexts.statuses[value] }))}
        value={draft.values.status}
        onChange={({ currentTarget }) => set({ status: currentTarget.value as NodeStatus })}
      />
      <Autocomplete
        label={t.fields.assigned_to}
        name="assigned_to"
        placeholder={t.nobody}
        maxLength={limits.nameCharacters}
        data={[...assignees]}
        limit={SUGGESTED_MAX}
        value={nameIn(people, draft.values.assigned_to)}
        onChange={(name) => set({ assigned_to: entryFor(people, name, [draft.values.assigned_to]) })}
      />
      <JsonInput
        label={t.fields.data}
        name="data"
        description={t.dataHint}
        minRows={4}
        maxRows={16}
        value={draft.values.data}
        error={dataProblem}
        onChange={({ currentTarget }) => set({ data: currentTarget.value })}
      />
      <Group gap="xs">
        <Button type="submit" loading={isSaving} {...(!maySave && UNAVAILABLE)}>
          {overlap.length > 0 ? t.saveMine : ui.save}
        </Button>
        {isDirty && (
          <Button variant="default" onClick={() => setDraft(draftOf(node))}>
            {t.discard}
          </Button>
        )}
      </Group>
    </Form>
  );
}
