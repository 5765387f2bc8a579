/** Courses, accounts and terms of the LMS, for one upload. */
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import type { HeldAccount } from '@lms-admin/domain/sis-effect/accounts';
import type { HeldCourse } from '@lms-admin/domain/sis-effect/courses';
import type { HeldTerm } from '@lms-admin/domain/sis-effect/terms';
import {
  accountsBelow,
  everyTerm,
  type LmsAccount,
  type LmsProvider,
  type LmsTerm,
  providersOf,
} from '../../canvas/resources/accounts.ts';
import { everCourse, type LmsCourse, walkCourses } from '../../canvas/resources/courses.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';

/** Accounts, terms and authentication providers: these lists are short, and each is read once, when first needed. */
export class AccountsAndTerms {
  readonly #asking: Asking;
  #accounts: Promise<Answer<LmsAccount[]>> | null = null;
  #terms: Promise<Answer<LmsTerm[]>> | null = null;

  #providers: Promise<Answer<LmsProvider[]>> | null = null;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Finds authentication providers by the number or type in a cell. */
  async providers(): Promise<(given: string) => Answer<number>> {
    this.#providers ??= answered(this.#asking, () => providersOf(this.#asking));
    const all = await this.#providers;
    if (typeof all === 'string') return () => 'unread';
    return (given) => all.find((one) => String(one.id) === given || one.auth_type === given)?.id ?? 'missing';
  }

  /** Returns the accounts by SIS ID, and SIS IDs by number; null if the LMS did not provide them. */
  async accounts(): Promise<{
    bySisId: Map<string, HeldAccount>;
    sisIds: Map<number, string>;
    /** Parent number of each account. */
    parents: Map<number, number | null>;
    /** SIS IDs of accounts with a sub-account that has no SIS ID. */
    aboveUnnamed: Set<string>;
  } | null> {
    this.#accounts ??= answered(this.#asking, () => accountsBelow(this.#asking, ROOT_ACCOUNT_ID));
    const all = await this.#accounts;
    if (typeof all === 'string') return null;
    const sisIds = new Map(
      all.flatMap((one) => (one.sis_account_id === null ? [] : [[one.id, one.sis_account_id]])),
    );
    const bySisId = new Map(
      all.flatMap((one) =>
        one.sis_account_id === null
          ? []
          : [
              [
                one.sis_account_id,
                {
                  id: one.id,
                  name: one.name,
                  parent: sisIds.get(one.parent_account_id ?? 0) ?? null,
                  integrationId: one.integration_id,
                },
              ] as const,
            ],
      ),
    );
    const unnamed = all.filter((one) => one.sis_account_id === null);
    const aboveUnnamed = new Set(unnamed.flatMap((one) => sisIds.get(one.parent_account_id ?? 0) ?? []));
    const parents = new Map(all.map((one) => [one.id, one.parent_account_id]));
    return { bySisId, sisIds, parents, aboveUnnamed };
  }

  /** Returns the terms in the same form, with their names. */
  async terms() {
    // Includes deleted terms: a row that names one restores it.
    this.#terms ??= answered(this.#asking, () => everyTerm(this.#asking));
    const all = await this.#terms;
    if (typeof all === 'string') return null;
    const bySisId = new Map<string, HeldTerm>();
    const sisIds = new Map<number, string>();
    const byNumber = new Map<number, HeldTerm>();
    const names = new Map<number, string>();
    for (const each of all) {
      names.set(each.id, each.name);
      const held = {
        id: each.id,
        name: each.name,
        state: each.workflow_state,
        start: each.start_at,
        end: each.end_at,
        overrides: each.overrides ? datesByKind(each.overrides) : undefined,
      };
      byNumber.set(each.id, held);
      if (each.sis_term_id === null) continue;
      sisIds.set(each.id, each.sis_term_id);
      bySisId.set(each.sis_term_id, held);
    }
    return { bySisId, byNumber, sisIds, names };
  }
}

function datesByKind(overrides: NonNullable<LmsTerm['overrides']>): HeldTerm['overrides'] {
  return Object.fromEntries(
    Object.entries(overrides).map(([kind, { start_at, end_at }]) => [kind, { start: start_at, end: end_at }]),
  );
}

export interface FoundCourse extends HeldCourse {
  accountId: number;
  termId: number;
  sisId: string;
  /** Whether the course is a blueprint for others. */
  blueprint: boolean;
}

/** Courses by SIS ID, including deleted ones, which a row can restore. */
export class CoursesOfLms {
  readonly #asking: Asking;
  readonly #around: AccountsAndTerms;
  readonly #known = new Map<string, Answer<FoundCourse>>();
  #whole = false;
  #count = 0;

  constructor(asking: Asking, around: AccountsAndTerms) {
    this.#asking = asking;
    this.#around = around;
  }

  /** Returns the number of all courses; null if not all were read. */
  get all(): number | null {
    return this.#whole ? this.#count : null;
  }

  /** Finds a course by its number, including deleted ones. @throws CanvasError when the token is refused */
  byNumber(number: number): Promise<Answer<FoundCourse>> {
    return answered(this.#asking, async () => heldAs(await everCourse(this.#asking, number)));
  }

  /** Prepares these courses for `of`. @param fields whether their account and term are compared */
  async prepare(sisIds: ReadonlySet<string>, fields: boolean): Promise<void> {
    const limited = this.#asking.admin.record.perm !== 'ALL';
    const [accounts, byTerm] = fields
      ? await Promise.all([this.#around.accounts(), this.#around.terms()])
      : [null, null];
    const held = (found: LmsCourse) => heldAs(found, accounts?.sisIds, byTerm?.sisIds);
    if (!limited && sisIds.size > FEW) {
      this.#whole = await walkCourses(this.#asking, sisIds.size, (found) => {
        if (found.workflow_state !== 'deleted') this.#count++;
        if (found.sis_course_id !== null && sisIds.has(found.sis_course_id))
          this.#known.set(found.sis_course_id, held(found));
      });
    }
    const open = this.#whole ? [] : [...sisIds].filter((sisId) => !this.#known.has(sisId));
    await mapLimited(open, AT_ONCE, async (sisId) => {
      const found = await answered(this.#asking, async () => {
        const read = await everCourse(this.#asking, sisSegment('course', sisId));
        const { scope } = this.#asking.services;
        if (!(await scope.account(this.#asking.admin, read.account_id, this.#asking.signal))) return null;
        return held(read);
      });
      this.#known.set(sisId, found ?? 'missing');
    });
  }

  /** Returns a prepared course. */
  of(sisId: string): Answer<FoundCourse> {
    return this.#known.get(sisId) ?? (this.#whole ? 'missing' : 'unread');
  }
}

/** @param accounts SIS IDs by number, where known; terms likewise */
function heldAs(
  found: LmsCourse,
  accounts?: ReadonlyMap<number, string>,
  terms?: ReadonlyMap<number, string>,
): FoundCourse {
  return {
    id: found.id,
    sisId: found.sis_course_id ?? '',
    name: found.name,
    code: found.course_code ?? '',
    state: found.workflow_state,
    accountId: found.account_id,
    account: accounts?.get(found.account_id) ?? null,
    termId: found.enrollment_term_id,
    term: terms?.get(found.enrollment_term_id) ?? null,
    start: found.start_at,
    end: found.end_at,
    integrationId: found.integration_id,
    format: found.course_format,
    passback: found.grade_passback_setting,
    homeroom: found.homeroom_course ?? false,
    friendlyName: found.friendly_name,
    blueprint: found.blueprint ?? false,
    limited: found.restrict_enrollments_to_course_dates ?? null,
  };
}
