import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the console. */
export const TextLink = createLink((props: Omit<AnchorProps, 'href'>) => <Anchor {...props} />);

/** A link that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps) => <Button component="a" {...props} />);
