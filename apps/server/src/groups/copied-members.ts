/**
 * Rows that are not sent because the directory's copy has their people, and these are not in the course. With current
 * data they could be sent, so their people are looked up in the LMS before the other rows are sent.
 */
import type { MemberRow } from '@lms-admin/domain/group-members';
import type { RequestedMember } from '@lms-admin/domain/group-references';
import { shown } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import type { LookupSources } from '../users/copied-lookups.ts';
import { type FoundElsewhere, type PersonFound, peopleElsewhere } from './elsewhere.ts';
import type { CopiedMember, KeptMembers } from './plan-parts.ts';

/** Returns the rows of a review that are not sent because of a person in the copy. */
export function copiedRows(
  requested: readonly RequestedMember[],
  rows: readonly MemberRow[],
  found: FoundElsewhere['people'],
): CopiedMember[] {
  return rows.flatMap((row, at): CopiedMember[] => {
    const { person: text, wrong } = requested[at] ?? { person: '' };
    const person = found.get(text);
    if (wrong || row.column !== 'user_id' || typeof person !== 'object' || !person.copied) return [];
    return [
      {
        row: row.row,
        user_id: text,
        group_id: row.group_id,
        status: row.status,
        who: person.id,
        sis: person.sisId,
        person: person.name,
        group: row.group ?? '',
      },
    ];
  });
}

/** Rows that mean another person in the LMS, or no one. */
export interface ChangedCopies {
  rows: readonly CopiedMember[];
  /** The people whom they mean, by the requested text. */
  people: ReadonlyMap<string, PersonFound>;
  messages: { row: number; text: string }[];
}

/**
 * Looks up the people of these rows, and removes those who have changed from the copy.
 * @throws CanvasError if a token is refused; the signal's reason
 */
export async function changedCopies(
  { people, copied: copy }: LookupSources,
  admin: Admin,
  { by, rows }: NonNullable<KeptMembers['copied']>,
  signal: AbortSignal,
): Promise<ChangedCopies> {
  const texts = [...new Set(rows.map((one) => one.user_id))];
  const found = await peopleElsewhere(people, admin, texts, by, { signal, fresh: true });
  const nowOf = (one: CopiedMember) => found.get(one.user_id) ?? null;
  const changed = rows.filter((one) => {
    const now = nowOf(one);
    return now === null || now === 'failed' || now.id !== one.who;
  });
  const outdated = rows.filter((one) => {
    const now = nowOf(one);
    return now === null || (now !== 'failed' && (now.id !== one.who || now.sisId !== one.sis));
  });
  // This way, the next review reads current SIS IDs.
  if (outdated.length > 0) people.forgetFound();
  await copy.forget([...new Set(outdated.map(({ who }) => who))]);
  return {
    rows: changed,
    people: new Map([...found].flatMap(([text, one]) => (one === 'failed' ? [] : [[text, one] as const]))),
    messages: changed.map((one) => ({
      row: one.row,
      text: `Row ${one.row} (${one.person}, ${one.group}) was skipped: ${whyChanged(one.user_id, nowOf(one))}`,
    })),
  };
}

function whyChanged(text: string, now: PersonFound | 'failed' | null): string {
  if (now === 'failed') return 'The LMS did not return this person before the import was sent.';
  if (now !== null) return `${shown(text)} now belongs to ${now.name}.`;
  return `The LMS no longer finds anyone with ${shown(text)}.`;
}
