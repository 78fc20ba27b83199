import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi } from '@tanstack/react-router';
import { auditFiltersOf } from './audit-filters.ts';

const route = getRouteApi('/user/w/$workspaceId/audit');

/** The filters of the entries, kept in the URL. */
export function AuditFilterBar() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const form = useForm({
    initialValues: {
      action: filters.action ?? '',
      resourceType: filters.resourceType ?? '',
      actor: filters.actor ?? '',
      from: localDay(filters.from),
      to: localDay(filters.to, -1),
    },
  });
  const submit = form.onSubmit(({ from, to, ...others }) =>
    navigate({ search: auditFiltersOf({ ...others, from: startOfDay(from), to: startOfDay(to, 1) }) }),
  );
  return (
    <form onSubmit={submit} aria-label="Filter the entries">
      <Group align="flex-end" gap="sm" my="md">
        <TextInput w={170} label="Action" placeholder="api_key.create" {...form.getInputProps('action')} />
        <TextInput
          w={170}
          label="Kind of record"
          placeholder="decision"
          {...form.getInputProps('resourceType')}
        />
        <TextInput
          w={170}
          label="Actor’s id"
          placeholder="Id of a key or user"
          {...form.getInputProps('actor')}
        />
        <TextInput label="From" type="date" {...form.getInputProps('from')} />
        <TextInput label="To" type="date" {...form.getInputProps('to')} />
        <Button type="submit" variant="default">
          Filter
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" color="var(--mantine-color-text)" onClick={() => navigate({ search: {} })}>
            Show all
          </Button>
        )}
      </Group>
    </form>
  );
}

/** Returns the start of a local day, plus some days, in the API's format. */
function startOfDay(day: string, daysOn = 0): string | undefined {
  if (!day) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysOn);
  return date.toISOString();
}

function localDay(time: string | undefined, daysOn = 0): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  date.setDate(date.getDate() + daysOn);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
