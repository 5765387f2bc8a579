/** The scope of an account report, and the checks that all its tables share (reference §17). */
import { wallClock } from '../../http/time-zones.ts';
import { peopleUnder } from '../store/account-people.ts';
import type { Account, Course, Pseudonym, Timestamp } from '../store/model.ts';
import type { World } from '../store/world.ts';

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

export interface ReportRequest {
  account: Account;
  /** Whether the report is in the import format: in its words, and without data that imports do not know. */
  sisExport: boolean;
  /** The numbers of the terms whose courses the report includes; null: all. */
  terms: ReadonlySet<number> | null;
  includeDeleted: boolean;
  /** Only objects that imports have created. */
  createdBySis: boolean;
  types: ReadonlySet<string> | null;
  states: ReadonlySet<string> | null;
}

/** The part of the sandbox that a report includes. */
export class ReportScope {
  readonly world: World;
  readonly request: ReportRequest;
  readonly #accounts: ReadonlySet<number>;

  constructor(world: World, request: ReportRequest) {
    this.world = world;
    this.request = request;
    this.#accounts = new Set(world.accountTree(request.account.id));
  }

  get isRoot(): boolean {
    return this.request.account.parent_account_id === null;
  }

  /** Returns whether an account is the report's own or below it. */
  holds(accountId: number): boolean {
    return this.#accounts.has(accountId);
  }

  /** Returns whether the report includes an object with this origin. */
  isCreatedSo(sisBatch: number | null): boolean {
    return sisBatch !== null || !this.request.createdBySis;
  }

  /** Checks like `isCreatedSo`, for objects that an export includes only if an import has created them. */
  isImported(sisBatch: number | null): boolean {
    return sisBatch !== null || !(this.request.createdBySis || this.request.sisExport);
  }

  /**
   * Returns whether the report includes this state; it includes deleted objects only on request, and only
   * with an SIS ID.
   */
  isThere(state: string, sisId: string | null): boolean {
    return state !== 'deleted' || (this.request.includeDeleted && sisId !== null);
  }

  /** Returns an ISO date with the UTC offset of the account's zone. */
  date(moment: Timestamp | null): string | null {
    if (moment === null) return null;
    const ms = Date.parse(moment);
    const local = wallClock(ms, this.request.account.default_time_zone);
    const minutes = Math.round((local - ms) / 60_000);
    const two = (value: number) => String(value).padStart(2, '0');
    const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    return `${new Date(local).toISOString().slice(0, 19)}${minutes === 0 ? 'Z' : offset}`;
  }

  /** Returns the login that represents a person; deleted logins count only on request. */
  login(user: number, preferred: number | null = null): Pseudonym | undefined {
    const { pseudonyms } = this.world;
    const all = pseudonyms.by.user
      .get(user)
      .filter((one) => one.workflow_state !== 'deleted' || this.request.includeDeleted);
    return (
      all.find((one) => one.id === preferred) ??
      all.find((one) => one.workflow_state !== 'deleted' && one.sis_user_id) ??
      all[0]
    );
  }

  sisAccount(id: number | null): string | null {
    return this.world.accounts.get(id)?.sis_source_id ?? null;
  }

  /** Returns the people of the account, or null for everyone, as at the root. */
  peopleHere(): ReadonlySet<number> | null {
    if (this.isRoot) return null;
    return peopleUnder(this.world, this.request.account.id);
  }

  /** Returns whether a course is in or below the account, and in one of the requested terms. */
  hasCourse({ account_id, enrollment_term_id }: Course): boolean {
    const { terms } = this.request;
    return this.holds(account_id) && (terms === null || terms.has(enrollment_term_id));
  }
}
