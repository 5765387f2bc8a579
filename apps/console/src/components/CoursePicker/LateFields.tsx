/**
 * The fields of the picker, available immediately: option lists are a fifth of a tool's script, so a plain field of the
 * same shape is shown until they are loaded. Text, focus and the request to open the list are handed over.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CommonProps, ManyFieldProps, OneFieldProps } from './options.ts';
import { PlainField } from './PlainField.tsx';

type Fields = typeof import('./OptionField.tsx');

const load = () => import('./OptionField.tsx');
/** The loaded fields, which later screens use from their first rendering on; null until then. */
let come: Fields | null = null;

/** One choice from a list. */
export function OneField(props: OneFieldProps) {
  return (
    <Late {...props} chosen={[]} text={props.value?.name ?? ''}>
      {({ OneField: Field }) => <Field {...props} />}
    </Late>
  );
}

/** Several choices from a list. */
export function ManyField(props: ManyFieldProps) {
  return (
    <Late {...props} chosen={props.value} text="">
      {({ ManyField: Field }) => <Field {...props} />}
    </Late>
  );
}

interface LateProps extends Pick<CommonProps, 'id' | 'label' | 'hint' | 'disabled'> {
  readOnly?: boolean;
  /** The content of the field: as chips, and as text. */
  chosen: readonly { id: number; name: string }[];
  text: string;
  children: (fields: Fields) => ReactNode;
}

/** State of the plain field when the loaded field replaced it. */
interface Handed {
  focused: boolean;
  opened: boolean;
  /** Null when nothing has been typed. */
  typed: string | null;
}

function Late({ children, ...plain }: LateProps) {
  const { id } = plain;
  const [fields, setFields] = useState(come);
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null);
  const opened = useRef(false);
  const handed = useRef<Handed | null>(null);

  useEffect(() => {
    if (come !== null) return undefined;
    let here = true;
    load().then(
      (loaded) => {
        come = loaded;
        if (!here) return;
        const field = fieldOf(id);
        handed.current = {
          focused: field !== null && document.activeElement === field,
          opened: opened.current,
          typed: field === null || field.value === field.defaultValue ? null : field.value,
        };
        // Synchronously: no key can be pressed between reading one field and showing the other.
        flushSync(() => setFields(loaded));
      },
      (cause: unknown) => here && setFailure({ cause }),
    );
    return () => {
      here = false;
    };
  }, [id]);

  useLayoutEffect(() => {
    if (fields !== null && (handed.current?.focused || handed.current?.opened)) fieldOf(id)?.focus();
  }, [fields, id]);

  // Runs after the field has been initialised; text typed in the meantime is appended.
  useEffect(() => {
    const field = fieldOf(id);
    const { current } = handed;
    if (fields === null || field === null || current === null) return;
    handed.current = null;
    if (current.typed !== null) type(field, current.typed);
    else if (current.opened) field.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  }, [fields, id]);

  // The screen then says that loading failed, as for every part that is loaded late.
  if (failure) throw failure.cause;
  return fields === null ? (
    <PlainField
      {...plain}
      onOpen={() => {
        opened.current = true;
      }}
    />
  ) : (
    children(fields)
  );
}

function fieldOf(id: string): HTMLInputElement | null {
  const element = document.getElementById(id);
  return element instanceof HTMLInputElement ? element : null;
}

/** Sets the text as if it had been typed: React listens to the event, and reads the browser's own value. */
function type(field: HTMLInputElement, text: string) {
  Reflect.set(HTMLInputElement.prototype, 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
