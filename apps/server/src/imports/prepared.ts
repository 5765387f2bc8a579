/** What is done in the LMS so that the rows of a plan can be sent: it stays, whatever becomes of the rows, so each such end names it. */
import { counted } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';

/** SIS IDs that are named; of more only the number. */
const MOST_NAMED = 5;

const UNSURE =
  'The LMS did not confirm whether it created the sections of the review, or set their SIS IDs. Check the sections of these courses in the LMS.';

/** Sections that were created or given an SIS ID, by that id. */
export class Prepared {
  readonly #made = new Set<string>();
  readonly #given = new Set<string>();
  #unsure = false;
  /** Whether all that there was to do has been done, and told. */
  whole = false;

  made(sisId: string): void {
    this.#made.add(sisId);
  }

  given(sisId: string): void {
    this.#given.add(sisId);
  }

  /** Something may have been done, and the LMS does not say. */
  unsure(): void {
    this.#unsure = true;
  }

  /** `1 section was created, and 2 sections were given an SIS ID for it: that stays. …`; empty where nothing was done. */
  words(): string {
    const [made, given] = [this.#made.size, this.#given.size];
    const parts = [
      ...(made > 0 ? [`${counted(made, 'section')} ${made === 1 ? 'was' : 'were'} created`] : []),
      ...(given > 0 ? [`${counted(given, 'section')} ${given === 1 ? 'was' : 'were'} given an SIS ID`] : []),
    ];
    const done = parts.length === 0 ? [] : [`${parts.join(', and ')} for it: that stays. ${this.#ids()}`];
    return [...done, ...(this.#unsure ? [UNSURE] : [])].join(' ');
  }

  #ids(): string {
    const all = [...this.#made, ...this.#given];
    const rest = all.length - MOST_NAMED;
    const list = all.slice(0, MOST_NAMED).map(shown).join(', ');
    if (all.length === 1) return `Its SIS ID is ${list}.`;
    return `Their SIS IDs are ${list}${rest > 0 ? ` and ${rest} more` : ''}.`;
  }
}

/** The words for an end, and what was done for the import anyway. */
export function withPrepared(words: string, prepared: Prepared): string {
  return [words, prepared.words()].filter(Boolean).join(' ');
}
