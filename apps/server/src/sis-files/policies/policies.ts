/** The policy of each table. Who may send a table at all is in its entry. */
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { EnrollmentsPolicy } from './enrollments.ts';
import { PeoplePolicy } from './people.ts';
import { type PolicyContext, TablePolicy } from './policy.ts';
import { UsersPolicy } from './users.ts';

const POLICIES: Readonly<Record<SisKind, typeof TablePolicy>> = {
  change_sis_id: PeoplePolicy,
  account: TablePolicy,
  term: TablePolicy,
  abstract_course: TablePolicy,
  course: TablePolicy,
  section: TablePolicy,
  xlist: TablePolicy,
  user: UsersPolicy,
  login: PeoplePolicy,
  enrollment: EnrollmentsPolicy,
  admin: TablePolicy,
  group_category: TablePolicy,
  group: TablePolicy,
  group_membership: TablePolicy,
  user_observer: TablePolicy,
};

/** The policies of one upload, each made when its table first comes. */
export class Policies {
  readonly #context: PolicyContext;
  readonly #made = new Map<SisKind, TablePolicy>();

  constructor(context: PolicyContext) {
    this.#context = context;
  }

  of(kind: SisKind): TablePolicy {
    const policy = this.#made.get(kind) ?? new POLICIES[kind](this.#context);
    this.#made.set(kind, policy);
    return policy;
  }

  /** Those of the tables that came. */
  get all(): TablePolicy[] {
    return [...this.#made.values()];
  }
}
