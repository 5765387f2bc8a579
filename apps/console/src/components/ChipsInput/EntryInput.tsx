import { ENTRY_KINDS, type EntryKind, type EntryKindId } from '@lms-admin/domain/chips';
import { styled } from '@mui/material/styles';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef } from 'react';
import type { OpenList, SuggestionKeys } from './suggestions.ts';
import type { Chips } from './useChips.ts';

const Input = styled('input')(({ theme }) => ({
  boxSizing: 'border-box',
  width: '100%',
  height: 46,
  padding: '0 14px',
  border: 0,
  outline: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  '&::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}));

const INPUT_MODES = { email: 'email', 'sis-id': 'text', 'course-id': 'numeric', host: 'email' } as const;

interface EntryInputProps {
  kind: EntryKindId;
  id: string;
  input: RefObject<HTMLInputElement | null>;
  text: string;
  chips: Chips;
  wrong: boolean;
  /** IDs of the texts that describe the field. */
  described: string;
  /** The label and hint of a field that shows them inside. */
  inside: { 'aria-label': string; placeholder: string } | null;
  /** Moves focus to the last chip; null if none. */
  onToChips: (() => void) | null;
  /** Key handler of the list below the field, called first. */
  keys: RefObject<SuggestionKeys | null>;
  /** The open list; null if it is closed, undefined if the field has none. */
  open: OpenList | null | undefined;
}

/** The input for typing and pasting entries. */
export function EntryInput(props: EntryInputProps) {
  const { kind, id, input, text, chips, wrong, onToChips, keys, open } = props;
  const handleLeave = useLeave(() => chips.confirm());

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that confirms a suggestion of an input method does not end the entry.
    if (event.nativeEvent.isComposing) return;
    if (keys.current?.(event.key)) {
      event.preventDefault();
      // Escape closes only the list, not the dialog around it.
      event.stopPropagation();
      return;
    }
    const { selectionStart, selectionEnd } = event.currentTarget;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    if (isEnd(kind, event.key)) {
      event.preventDefault();
      chips.confirm(event.key === 'Enter' ? '' : event.key);
    } else if (event.key === 'Tab' && !event.shiftKey && text.trim() !== '' && !chips.refused) {
      event.preventDefault();
      chips.confirm();
    } else if (event.key === 'Backspace' && text === '') {
      chips.removeLast();
    } else if (event.key === 'ArrowLeft' && atStart && onToChips) {
      event.preventDefault();
      onToChips();
    }
  }

  return (
    <Input
      id={id}
      ref={input}
      type="text"
      value={text}
      onChange={(event) => chips.type(event.target.value)}
      onKeyDown={handleKey}
      onPaste={(event) => paste(event, text, chips)}
      onBlur={handleLeave}
      aria-describedby={props.described}
      aria-invalid={wrong}
      {...props.inside}
      {...(open !== undefined && listOf(open))}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={INPUT_MODES[kind]}
    />
  );
}

/** Inserts pasted text at the cursor, together with the text before and after it. */
function paste(event: ClipboardEvent<HTMLInputElement>, text: string, chips: Chips): void {
  const pasted = event.clipboardData.getData('text');
  if (pasted.trim() === '') return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = event.currentTarget;
  chips.paste(text.slice(0, selectionStart ?? text.length), pasted, text.slice(selectionEnd ?? text.length));
}

/** Returns the ARIA attributes of the list below a field. */
function listOf(open: OpenList | null) {
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': open?.list,
    'aria-activedescendant': open?.active ?? undefined,
  } as const;
}

/** Tells whether a key ends an entry. A space also does, for kinds that cannot be recognised among other words. */
function isEnd(id: EntryKindId, key: string): boolean {
  const kind: EntryKind = ENTRY_KINDS[id];
  return key === 'Enter' || key === ',' || key === ';' || (key === ' ' && kind.read === undefined);
}

let listening = false;
let pressed = false;

/** Listens once for all fields: there may be a hundred of them. */
function listen(): void {
  if (listening) return;
  listening = true;
  document.addEventListener('mousedown', () => (pressed = true), true);
  document.addEventListener('mouseup', () => (pressed = false), true);
}

/**
 * Handles leaving a field, but never between press and release of a mouse button or finger: a message that then appears
 * would move the button away from under the pointer, and its click would be lost.
 * @returns the handler for `onBlur`
 */
function useLeave(leave: () => void): () => void {
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(listen, []);
  return () => {
    if (pressed) document.addEventListener('mouseup', () => latest.current(), { capture: true, once: true });
    else latest.current();
  };
}
