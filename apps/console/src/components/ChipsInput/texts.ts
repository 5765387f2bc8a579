/** Texts of ours around the chips, by what is entered. */
import { messages } from '@lms-admin/contract/messages';
import type { ChipProblem, EntryKindId } from '@lms-admin/domain/chips';

interface Words {
  one: string;
  many: string;
  /** Why an entry is refused. */
  invalid: (text: string) => string;
}

const WORDS: Readonly<Record<EntryKindId, Words>> = {
  email: { one: 'address', many: 'addresses', invalid: messages.chips.invalid },
  'sis-id': {
    one: 'SIS id',
    many: 'SIS ids',
    invalid: (text) =>
      `'${text}' cannot be a SIS id. At most 100 letters, digits, dots, underscores, hyphens and @ may stand in one.`,
  },
  'course-id': { one: 'course id', many: 'course ids', invalid: () => messages.chips.notNumeric },
  host: { one: 'host', many: 'hosts', invalid: messages.chips.invalid },
};

const n = (count: number) => count.toLocaleString('en-GB');
const counted = (kind: EntryKindId, count: number) =>
  `${n(count)} ${WORDS[kind][count === 1 ? 'one' : 'many']}`;

/** Why an entry was refused: the documented text where there is one (CE-10, CE-11, ZR-13, ZC-22). */
export function problemText(kind: EntryKindId, problem: ChipProblem): string {
  return problem.kind === 'duplicate'
    ? messages.chips.duplicate(problem.text)
    : WORDS[kind].invalid(problem.text);
}

export const texts = {
  list: counted,
  shown: (kind: EntryKindId, shown: number, all: number) => `${n(shown)} of ${counted(kind, all)}`,
  remove: (entry: string) => `Remove ${entry}`,
  removed: (entry: string) => `${entry} removed.`,
  removeAll: 'Remove all',
  removedAll: (kind: EntryKindId, count: number) => `${counted(kind, count)} removed.`,
  undo: 'Undo',
  undone: (kind: EntryKindId, count: number) => `${counted(kind, count)} in the list again.`,
  search: 'Search within',
  noMatch: (kind: EntryKindId) => `No ${WORDS[kind].one} in the list contains this.`,
  added: (kind: EntryKindId, added: number, all: number) =>
    `${counted(kind, added)} added, ${n(all)} in all.`,
  known: (kind: EntryKindId, count: number) =>
    `${n(count)} of these ${WORDS[kind].many} ${count === 1 ? 'was' : 'were'} in the list already.`,
  unread: (list: readonly string[]) =>
    `Not taken, because it is no complete address: ${list.slice(0, 5).join(', ')}${list.length > 5 ? ` and ${list.length - 5} more` : ''}.`,
  moreProblems: (count: number) => `… and ${n(count)} more.`,
} as const;
