/** Courses, accounts and terms of the LMS, for one upload. */
import type { HeldAccount, HeldCourse, HeldTerm } from '@lms-admin/domain/sis-effect/places';
import { z } from 'zod';
import { sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { type Answer, type Asking, AT_ONCE, answered, FEW, id, one, pages, text, walked } from './ask.ts';

const course = z.object({
  id,
  name: z.string(),
  course_code: text,
  workflow_state: z.string(),
  account_id: id,
  enrollment_term_id: id,
  start_at: text,
  end_at: text,
  sis_course_id: text,
  integration_id: text,
  course_format: text,
});
const account = z.object({
  id,
  name: z.string(),
  parent_account_id: id.nullable(),
  sis_account_id: text,
  integration_id: text,
});
const term = z.object({ id, name: z.string(), start_at: text, end_at: text, sis_term_id: text });
const terms = z.object({ enrollment_terms: z.array(term) });

/** Accounts and terms are few: each list is read once, when it is first asked for. */
export class AccountsAndTerms {
  readonly #asking: Asking;
  #accounts: Promise<Answer<z.output<typeof account>[]>> | null = null;
  #terms: Promise<Answer<z.output<typeof term>[]>> | null = null;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** By SIS id, and the SIS ids by number; null where the LMS did not give them. */
  async accounts(): Promise<{ bySisId: Map<string, HeldAccount>; sisIds: Map<number, string> } | null> {
    this.#accounts ??= answered(this.#asking, async () => {
      const all: z.output<typeof account>[] = [];
      for await (const { data } of pages(this.#asking, 'accounts/1/sub_accounts', account, [
        ['recursive', 'true'],
      ]))
        all.push(...data);
      return all;
    });
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
    return { bySisId, sisIds };
  }

  /** The same of terms, with their names. */
  async terms() {
    this.#terms ??= answered(this.#asking, async () => {
      const { services, admin, signal } = this.#asking;
      const all: z.output<typeof term>[] = [];
      const asked = {
        token: admin.token,
        method: 'GET' as const,
        path: 'accounts/1/terms',
        answer: terms,
        signal,
      };
      for await (const { data } of services.canvas.pages({ ...asked, query: [['per_page', '100']] }))
        all.push(...data.enrollment_terms);
      return all;
    });
    const all = await this.#terms;
    if (typeof all === 'string') return null;
    const bySisId = new Map<string, HeldTerm>();
    const sisIds = new Map<number, string>();
    const names = new Map<number, string>();
    for (const each of all) {
      names.set(each.id, each.name);
      if (each.sis_term_id === null) continue;
      sisIds.set(each.id, each.sis_term_id);
      bySisId.set(each.sis_term_id, { id: each.id, name: each.name, start: each.start_at, end: each.end_at });
    }
    return { bySisId, sisIds, names };
  }
}

export interface FoundCourse extends HeldCourse {
  accountId: number;
  termId: number;
  sisId: string;
}

/** Courses by SIS id, deleted ones too: a row brings them back. */
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

  /** How many courses there are; null where they were not all read. */
  get all(): number | null {
    return this.#whole ? this.#count : null;
  }

  /** Gets ready for questions about these. @param fields whether their account and term are to be compared */
  async prepare(sisIds: ReadonlySet<string>, fields: boolean): Promise<void> {
    const limited = this.#asking.admin.record.perm !== 'ALL';
    const [accounts, byTerm] = fields
      ? await Promise.all([this.#around.accounts(), this.#around.terms()])
      : [null, null];
    const heldAs = (found: z.output<typeof course>): FoundCourse => ({
      id: found.id,
      sisId: found.sis_course_id ?? '',
      name: found.name,
      code: found.course_code ?? '',
      state: found.workflow_state,
      accountId: found.account_id,
      account: accounts?.sisIds.get(found.account_id) ?? null,
      termId: found.enrollment_term_id,
      term: byTerm?.sisIds.get(found.enrollment_term_id) ?? null,
      start: found.start_at,
      end: found.end_at,
      integrationId: found.integration_id,
      format: found.course_format,
    });
    if (!limited && sisIds.size > FEW) {
      this.#whole = await walked(
        this.#asking,
        'accounts/1/courses',
        course,
        [['state[]', 'all']],
        sisIds.size,
        (found) => {
          if (found.workflow_state !== 'deleted') this.#count++;
          if (found.sis_course_id !== null && sisIds.has(found.sis_course_id))
            this.#known.set(found.sis_course_id, heldAs(found));
        },
      );
    }
    const open = this.#whole ? [] : [...sisIds].filter((sisId) => !this.#known.has(sisId));
    await mapLimited(open, AT_ONCE, async (sisId) => {
      const found = await answered(this.#asking, async () => {
        const read = await one(this.#asking, `courses/${sisSegment('course', sisId)}`, course, [
          ['include[]', 'all_courses'],
        ]);
        const { scope } = this.#asking.services;
        if (!(await scope.account(this.#asking.admin, read.account_id, this.#asking.signal))) return null;
        return heldAs(read);
      });
      this.#known.set(sisId, found ?? 'missing');
    });
  }

  /** A course that was prepared for. */
  of(sisId: string): Answer<FoundCourse> {
    return this.#known.get(sisId) ?? (this.#whole ? 'missing' : 'unread');
  }
}
