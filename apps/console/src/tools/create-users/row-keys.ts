/** Keys and pasting within the rows of the form, as in a spreadsheet. */
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import { NEW_USER_FIELDS, type NewUserField } from '@lms-admin/domain/new-users';
import { isTable, type PastedUsers, pastedUsers } from '@lms-admin/domain/new-users-paste';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { UserRow } from './create-users-state.ts';
import { fieldId } from './row-problems.ts';

/** Position of a field in the form. */
interface Place {
  index: number;
  field: NewUserField;
}

function placeOf(target: EventTarget, rows: readonly UserRow[]): Place | null {
  if (!(target instanceof HTMLInputElement)) return null;
  const field = NEW_USER_FIELDS.find((one) => one === target.dataset.field);
  const index = rows.findIndex((row) => field !== undefined && fieldId(row.id, field) === target.id);
  return field === undefined || index === -1 ? null : { index, field };
}

/**
 * Finds the target of a key: Enter goes to the next field or, in the very last one, adds a row; up and down stay in the
 * column.
 * @returns the ID of the field to go to, or 'add' for a new row; null if the key has no effect in this field
 */
export function keyTarget(event: KeyboardEvent, rows: readonly UserRow[]): string | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.nativeEvent.isComposing)
    return null;
  const place = placeOf(event.target, rows);
  if (!place) return null;
  const column = NEW_USER_FIELDS.indexOf(place.field);
  const at = (index: number, field: NewUserField | undefined) => {
    const row = rows[index];
    return row && field ? fieldId(row.id, field) : null;
  };
  switch (event.key) {
    case 'Enter':
      return at(place.index, NEW_USER_FIELDS[column + 1]) ?? at(place.index + 1, NEW_USER_FIELDS[0]) ?? 'add';
    case 'ArrowDown':
      return at(place.index + 1, place.field);
    case 'ArrowUp':
      return at(place.index - 1, place.field);
    default:
      return null;
  }
}

export interface Pasted extends PastedUsers {
  /** ID of the row for the first line. */
  id: number;
}

/** Reads the spreadsheet cells in the clipboard; null for text that belongs in a single field. */
export function pastedAt(event: ClipboardEvent, rows: readonly UserRow[]): Pasted | null {
  const place = placeOf(event.target, rows);
  const text = event.clipboardData.getData('text/plain');
  const row = place === null ? undefined : rows[place.index];
  if (place === null || row === undefined || !isTable(text)) return null;
  const pasted = pastedUsers(text, place.field, MAX_NEW_USERS - place.index);
  return pasted.rows.length === 0 ? null : { id: row.id, ...pasted };
}
