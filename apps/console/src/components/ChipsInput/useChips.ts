import type { EntryKindId } from '@lms-admin/domain/chips';
import { useState } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import {
  type ChipsNotice,
  type ChipsState,
  type ChipsStep,
  confirmText,
  dismissNotTaken,
  isSum,
  NO_NOTICE,
  notIn,
  pasteText,
  removeChip,
  restoreChips,
} from './chips-state.ts';
import { texts } from './texts.ts';

export interface Chips {
  notice: ChipsNotice;
  /** Entries that were just removed and can be restored. */
  removed: readonly string[];
  /** Confirms the text in the field. @param typed the separator that ends it, if any */
  confirm: (typed?: string) => void;
  paste: (before: string, pasted: string, after: string) => void;
  type: (text: string) => void;
  remove: (entry: string) => void;
  removeLast: () => void;
  removeAll: () => void;
  undo: () => void;
  /** Closes the list of invalid pieces. */
  dismiss: () => void;
  /** Whether the text in the field was just found to be invalid: pressing Tab again then leaves the field. */
  refused: boolean;
}

/** Manages the chips field: every change goes to `onChange`, and every result is announced. */
export function useChips(kind: EntryKindId, state: ChipsState, onChange: (state: ChipsState) => void): Chips {
  const announce = useAnnounce();
  const [notice, setNotice] = useState<ChipsNotice>(NO_NOTICE);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [refusedText, setRefusedText] = useState<string | null>(null);

  function take({ state: next, notice: result }: ChipsStep) {
    setRefusedText(result.problems.length > 0 ? next.text : null);
    setNotice(result);
    if (result.added > 0) setRemoved([]);
    onChange(next);
    const announcement = [
      ...result.problems.slice(0, 3),
      ...(result.added > 0 ? [texts.added(kind, result.added, next.chips.length)] : []),
      ...(isSum({ ...result, added: 0 }) ? [texts.sum(kind, result)] : []),
    ];
    if (announcement.length > 0)
      announce(announcement.join(' '), result.problems.length > 0 ? 'assertive' : 'polite');
  }

  function drop(next: ChipsState, gone: readonly string[], announcement: string) {
    setRemoved(gone);
    setNotice(NO_NOTICE);
    onChange(next);
    announce(announcement);
  }

  function remove(entry: string) {
    drop(removeChip(state, entry), [entry], texts.removed(entry));
  }

  return {
    notice,
    removed,
    refused: state.text !== '' && refusedText === state.text,
    confirm(typed) {
      if (state.text.trim() !== '') take(confirmText(kind, state, typed));
      else if (state.text !== '') onChange({ ...state, text: '' });
    },
    paste: (before, pasted, after) => take(pasteText(kind, state, before, pasted, after)),
    type(text) {
      if (notice !== NO_NOTICE) setNotice(NO_NOTICE);
      onChange({ ...state, text });
    },
    remove,
    removeLast() {
      const last = state.chips.at(-1);
      if (last !== undefined) remove(last);
    },
    removeAll: () => drop({ ...state, chips: [] }, state.chips, texts.removedAll(kind, state.chips.length)),
    undo() {
      onChange(restoreChips(kind, state, removed));
      announce(texts.undone(kind, notIn(kind, state.chips, removed).length));
      setRemoved([]);
    },
    dismiss: () => onChange(dismissNotTaken(state)),
  };
}
