/** What an account report is about, and what all of its tables ask for (reference §17). */
import { wallClock } from '../../http/time-zones.ts';
import { peopleUnder } from '../store/account-people.ts';
import type { Account, Course, Pseudonym, Timestamp } from '../store/model.ts';
import type { World } from '../store/world.ts';

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Asked {
  account: Account;
  /** Whether it is the report of what an import could read: with its words, and without what it does not know. */
  sisExport: boolean;
  /** Numbers of the terms that narrow courses and what is in them; null: all. */
  terms: ReadonlySet<number> | null;
  includeDeleted: boolean;
  /** Only what imports have made. */
  createdBySis: boolean;
  types: ReadonlySet<string> | null;
  states: ReadonlySet<string> | null;
}

/** What a report sees of a campus. */
export class ReportScope {
  readonly world: World;
  readonly asked: Asked;
  readonly #accounts: ReadonlySet<number>;

  constructor(world: World, asked: Asked) {
    this.world = world;
    this.asked = asked;
    this.#accounts = new Set(world.accountTree(asked.account.id));
  }

  get isRoot(): boolean {
    return this.asked.account.parent_account_id === null;
  }

  /** Whether an account is the one of the report, or below it. */
  holds(accountId: number): boolean {
    return this.#accounts.has(accountId);
  }

  /** Whether something made so is in the report. */
  isMadeSo(sisBatch: number | null): boolean {
    return sisBatch !== null || !this.asked.createdBySis;
  }

  /** The same for what an export holds only where an import has made it. */
  isImported(sisBatch: number | null): boolean {
    return sisBatch !== null || !(this.asked.createdBySis || this.asked.sisExport);
  }

  /** Whether something in this state is in the report: what is deleted only where asked for, and with an SIS ID. */
  isThere(state: string, sisId: string | null): boolean {
    return state !== 'deleted' || (this.asked.includeDeleted && sisId !== null);
  }

  /** ISO with the offset of the account's zone. */
  date(moment: Timestamp | null): string | null {
    if (moment === null) return null;
    const ms = Date.parse(moment);
    const local = wallClock(ms, this.asked.account.default_time_zone);
    const minutes = Math.round((local - ms) / 60_000);
    const two = (value: number) => String(value).padStart(2, '0');
    const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    return `${new Date(local).toISOString().slice(0, 19)}${minutes === 0 ? 'Z' : offset}`;
  }

  /** The login that represents a person; those that are deleted only where they are asked for. */
  login(user: number, preferred: number | null = null): Pseudonym | undefined {
    const { pseudonyms } = this.world;
    const all = pseudonyms.by.user
      .get(user)
      .filter((one) => one.workflow_state !== 'deleted' || this.asked.includeDeleted);
    return (
      all.find((one) => one.id === preferred) ??
      all.find((one) => one.workflow_state !== 'deleted' && one.sis_user_id) ??
      all[0]
    );
  }

  sisAccount(id: number | null): string | null {
    return this.world.accounts.get(id)?.sis_source_id ?? null;
  }

  /** Null: everybody, as at the root. */
  peopleHere(): ReadonlySet<number> | null {
    if (this.isRoot) return null;
    return peopleUnder(this.world, this.asked.account.id);
  }

  /** Whether a course is in the account or below it, and in one of the terms that are asked for. */
  hasCourse({ account_id, enrollment_term_id }: Course): boolean {
    const { terms } = this.asked;
    return this.holds(account_id) && (terms === null || terms.has(enrollment_term_id));
  }
}
