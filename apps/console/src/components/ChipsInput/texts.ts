/** Texts around the chips, by kind of entry. */

import { messages } from '@lms-admin/contract/messages';
import type { ChipProblem, EntryKindId } from '@lms-admin/domain/chips';
import { emailFault } from '@lms-admin/domain/emails';
import { counted, grouped } from '@lms-admin/domain/numbers';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';

interface Words {
  one: string;
  many: string;
  /** Why an entry is not valid. */
  invalid: (text: string) => string;
}

const WORDS: Readonly<Record<EntryKindId, Words>> = {
  email: { one: 'address', many: 'addresses', invalid: messages.chips.invalid },
  'sis-id': {
    one: 'SIS ID',
    many: 'SIS IDs',
    invalid: (text) =>
      `'${text}' is not a valid SIS ID. It can have up to 100 letters, digits, dots, underscores, hyphens and @.`,
  },
  'course-id': { one: 'course number', many: 'course numbers', invalid: () => messages.chips.notNumeric },
  host: { one: 'host', many: 'hosts', invalid: messages.chips.invalid },
};

/** Counts of a paste: new, repeated and invalid entries, and lines without an entry. */
export type PasteSum = Readonly<Record<'added' | 'known' | 'refused' | 'without', number>>;

const entries = (kind: EntryKindId, count: number) =>
  `${grouped(count)} ${WORDS[kind][count === 1 ? 'one' : 'many']}`;

/**
 * Explains why an entry is not valid: the documented text, if one exists (CE-10, CE-11, ZR-13, ZC-22), and the problem.
 */
export function problemText(kind: EntryKindId, problem: ChipProblem): string {
  if (problem.kind === 'duplicate') return messages.chips.duplicate(problem.text);
  const fault = faultOf(kind, problem.text);
  const reason = WORDS[kind].invalid(problem.text);
  return fault === null ? reason : `${reason} ${fault[0]?.toUpperCase()}${fault.slice(1)}.`;
}

function faultOf(kind: EntryKindId, text: string): string | null {
  const converted = spreadsheetValue(text);
  if (converted !== null) return `it is ${converted}`;
  return (kind === 'email' || kind === 'host') && text.includes('@') ? emailFault(text) : null;
}

export const texts = {
  list: entries,
  shown: (kind: EntryKindId, shown: number, all: number) => `${grouped(shown)} of ${entries(kind, all)}`,
  /** @param known details of the entry, such as the person with this address */
  remove: (entry: string, known = '') => `Remove ${entry}${known === '' ? '' : `: ${known}`}`,
  removed: (entry: string) => `${entry} removed.`,
  removeAll: 'Remove all',
  removedAll: (kind: EntryKindId, count: number) => `${entries(kind, count)} removed.`,
  undo: 'Undo',
  undone: (kind: EntryKindId, count: number) => `${entries(kind, count)} restored.`,
  search: 'Search this list',
  noMatch: (kind: EntryKindId) => `No ${WORDS[kind].one} in the list contains this text.`,
  added: (kind: EntryKindId, added: number, all: number) =>
    `${entries(kind, added)} added. The list now has ${grouped(all)}.`,
  /** Describes the result of a paste. */
  sum(kind: EntryKindId, { added, known, refused, without }: PasteSum): string {
    const { one } = WORDS[kind];
    const parts = [
      `${grouped(added)} new`,
      ...(known > 0 ? [counted(known, 'duplicate', 'duplicates')] : []),
      ...(without > 0 ? [`${counted(without, 'line', 'lines')} without an ${one}`] : []),
      ...(refused > 0 ? [`${grouped(refused)} not valid`] : []),
    ];
    return `${parts.join(', ')}.`;
  },
  moreProblems: (count: number) => `… and ${grouped(count)} more.`,
} as const;
