import { Modal, Text } from '@mantine/core';
import type { SignedIn } from './session-query.ts';
import { SignInForm } from './sign-in-form.tsx';

export default function ExpiredSessionDialog(props: {
  email: string;
  onSignedIn: (signedIn: SignedIn) => void;
}) {
  return (
    <Modal
      opened
      onClose={() => window.location.assign('/sign-in')}
      title="Your session has ended"
      closeButtonProps={{ 'aria-label': 'Leave this page' }}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        Sign in again to go on where you are. What you typed is still here.
      </Text>
      <SignInForm email={props.email} onSignedIn={props.onSignedIn} />
    </Modal>
  );
}
