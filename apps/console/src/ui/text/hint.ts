import { Text } from '@mantine/core';

/** An explanation beside other text: small, and paler. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });
