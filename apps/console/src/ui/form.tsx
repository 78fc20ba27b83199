import { Button, type ButtonProps, type ElementProps, type MantineSpacing, Stack } from '@mantine/core';
import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { fieldErrors } from '../api/problem.ts';
import { ProblemAlert } from './problem-alert.tsx';

export type AnyButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>;

/** Mantine marks the frame of every field in error, but the input itself of only some. */
const INVALID = '[data-error] :is(input, textarea, select):not([type="hidden"])';
const FAILURE = '[data-failure]';

/** A form that sends nothing itself. A failed save shows the first field in error, or else the message. */
export function Form(props: {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Why the last save failed. */
  error: unknown;
  /** Shown instead of the error's message. An element, because `false` would hide the failure. */
  explanation?: ReactElement | undefined;
  /** The meanings of error codes that have another meaning here than usual. */
  titles?: Record<string, string>;
  /** Receives the server's message for each field. */
  form?: { values: object; setErrors: (errors: Record<string, string>) => void };
  label?: string;
  noValidate?: boolean;
  gap?: MantineSpacing;
  children: ReactNode;
}) {
  const { error, form } = props;
  const element = useRef<HTMLFormElement>(null);
  const [submits, setSubmits] = useState(0);
  const [failed, setFailed] = useState<unknown>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: Mantine's form is a new object at each render
  useEffect(() => {
    if (error != null) form?.setErrors(fieldErrors(error));
    // The fields show their messages in the next render.
    setFailed(error);
  }, [error]);
  useEffect(() => {
    if (submits > 0) showFirst(element.current, INVALID);
  }, [submits]);
  useEffect(() => {
    if (failed != null) showFirst(element.current, INVALID) || showFirst(element.current, FAILURE);
  }, [failed]);

  return (
    <form
      ref={element}
      aria-label={props.label}
      noValidate={props.noValidate}
      onKeyDown={submitByKey}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit(event);
        setSubmits((count) => count + 1);
      }}
    >
      <Stack gap={props.gap ?? 'md'}>
        {error != null && (
          <div data-failure tabIndex={-1}>
            {props.explanation ?? (
              <ProblemAlert error={error} titles={props.titles} fields={Object.keys(form?.values ?? {})} />
            )}
          </div>
        )}
        {props.children}
      </Stack>
    </form>
  );
}

/** What a form needs of Mantine's `useForm`, whose type its package does not export to modules. */
export interface FormState<Values> {
  values: Values;
  isDirty: (field?: string) => boolean;
  setValues: (values: Partial<Values>) => void;
  setErrors: (errors: Record<string, string>) => void;
  onSubmit: (send: (values: Values) => void) => (event?: FormEvent<HTMLFormElement>) => void;
}

/** The form of one change, which gets its values. */
export function ChangeForm<Values extends object, Data>(
  props: {
    form: FormState<Values>;
    change: {
      error: unknown;
      mutate: (values: NoInfer<Values>, then: { onSuccess?: (data: Data) => void }) => void;
    };
    /** Called after a success, unless the form has been closed. */
    onDone?: (data: NoInfer<Data>) => void;
  } & Pick<ComponentProps<typeof Form>, 'titles' | 'label' | 'children'>,
) {
  const { form, change, onDone, ...others } = props;
  return (
    <Form
      onSubmit={form.onSubmit((values) => change.mutate(values, onDone ? { onSuccess: onDone } : {}))}
      error={change.error}
      form={form}
      {...others}
    />
  );
}

/** The button that submits a form, and shows while the mutation is under way. */
export function SubmitButton({ of, ...props }: AnyButtonProps & { of: { isPending: boolean } }) {
  return <Button type="submit" loading={of.isPending} {...props} />;
}

/** Submits with Ctrl+Enter, where Enter alone begins a line. Does nothing while the button is disabled. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  // A dialog of the form is elsewhere in the document.
  if (!event.currentTarget.contains(event.target as Element)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
}

/** Scrolls to the first of these elements and focuses it. Returns whether there is one. */
function showFirst(form: HTMLElement | null, selector: string): boolean {
  const found = form?.querySelector<HTMLElement>(selector);
  // A form in steps shows the step of the element, in a microtask before this one.
  found?.dispatchEvent(new Event('reveal', { bubbles: true }));
  queueMicrotask(() => {
    found?.focus({ preventScroll: true });
    // A field is shown with its label, a message from its start.
    found?.scrollIntoView({ block: selector === FAILURE ? 'start' : 'center' });
  });
  return found != null;
}
