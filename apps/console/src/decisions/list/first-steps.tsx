import { Button, Paper, SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { FileUp, Terminal, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { firstStepsTexts as t } from '../../texts/first-steps.ts';
import { changeWorkspaces } from '../../workspace/change-workspaces.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { SamplePreview } from './sample-preview.tsx';
import { createSample } from './sample-workspace.ts';
import './first-steps.css';
import { ButtonLink } from '../../ui/links.tsx';

/** What else a new workspace can begin with. */
export default function FirstSteps() {
  const { id: workspaceId, may } = useWorkspace();
  const queryClient = useQueryClient();
  const router = useRouter();
  const sample = useMutation({
    mutationFn: createSample,
    onSuccess: async (workspace) => {
      changeWorkspaces(queryClient, (known) => [...known, workspace]);
      await router.navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId: workspace.id } });
    },
  });
  const link = (path: string, label: string) => {
    const to: string = `/w/${workspaceId}/${path}`;
    const [pathname = to, hash] = to.split('#');
    return (
      <ButtonLink variant="default" fullWidth px="xs" to={pathname} {...(hash && { hash })}>
        {label}
      </ButtonLink>
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640} mx="auto" mt="md">
      {may('admin') && (
        <Step icon={<Terminal size={18} aria-hidden />} about={t.callHint}>
          {link('settings/api-keys#new', t.call)}
        </Step>
      )}
      {may('member') && (
        <Step icon={<FileUp size={18} aria-hidden />} about={t.importHint}>
          {link('transfer', t.importDecisions)}
        </Step>
      )}
      {may('admin') && (
        <Step icon={<UserPlus size={18} aria-hidden />} about={t.inviteHint}>
          {link('settings/members#new', t.invite)}
        </Step>
      )}
      <Step picture={<SamplePreview />} about={t.sampleHint}>
        <Button
          variant="default"
          fullWidth
          px="xs"
          loading={sample.isPending}
          onClick={() => sample.mutate()}
        >
          {t.openSample}
        </Button>
      </Step>
    </SimpleGrid>
  );
}

/** A way to begin, with an icon or a picture. */
function Step(props: { icon?: ReactNode; picture?: ReactNode; about: string; children: ReactNode }) {
  const { icon, picture, about, children } = props;
  return (
    <Paper withBorder p="md" display="flex" style={{ flexDirection: 'column', alignItems: 'center' }}>
      {picture ?? (
        <ThemeIcon variant="light" size="lg" mb="sm" aria-hidden>
          {icon}
        </ThemeIcon>
      )}
      <Text size="sm" mb="md" flex={1}>
        {about}
      </Text>
      {children}
    </Paper>
  );
}
