/**
 * Changes made in the LMS to prepare the sending of a plan. These changes stay whatever happens to the rows, so
 * results name them.
 */
import { counted } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';

/** Maximum SIS IDs named; further ones are only counted. */
const MOST_NAMED = 5;

const UNSURE =
  'The LMS did not confirm whether it created the sections in the review or set their SIS IDs. Check the sections of these courses in the LMS.';

/** Sections that were created or given an SIS ID, by that ID. */
export class Prepared {
  readonly #created = new Set<string>();
  readonly #given = new Set<string>();
  #unsure = false;
  /** Whether all changes have been made and recorded. */
  whole = false;

  noteCreated(sisId: string): void {
    this.#created.add(sisId);
  }

  given(sisId: string): void {
    this.#given.add(sisId);
  }

  /** Records that the LMS did not answer, so a change may have been made. */
  unsure(): void {
    this.#unsure = true;
  }

  /**
   * Describes the sections prepared for an import: `1 section was created, and 2 sections were given an SIS ID for it:
   * that stays. …`; empty if nothing changed.
   */
  words(): string {
    const [createdCount, given] = [this.#created.size, this.#given.size];
    const parts = [
      ...(createdCount > 0
        ? [`${counted(createdCount, 'section')} ${createdCount === 1 ? 'was' : 'were'} created`]
        : []),
      ...(given > 0 ? [`${counted(given, 'section')} ${given === 1 ? 'was' : 'were'} given an SIS ID`] : []),
    ];
    const done =
      parts.length === 0 ? [] : [`${parts.join(', and ')} for this import and will stay. ${this.#ids()}`];
    return [...done, ...(this.#unsure ? [UNSURE] : [])].join(' ');
  }

  #ids(): string {
    const all = [...this.#created, ...this.#given];
    const rest = all.length - MOST_NAMED;
    const list = all.slice(0, MOST_NAMED).map(shown).join(', ');
    if (all.length === 1) return `Its SIS ID is ${list}.`;
    return `Their SIS IDs are ${list}${rest > 0 ? ` and ${rest} more` : ''}.`;
  }
}

/** Adds the changes already made for the import to the text about its end. */
export function withPrepared(words: string, prepared: Prepared): string {
  return [words, prepared.words()].filter(Boolean).join(' ');
}
