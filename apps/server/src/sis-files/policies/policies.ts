/** The policy of each table. Who can send a table at all is part of the table's definition. */
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

/** The policies of one upload, each created when its table first appears. */
export class Policies {
  readonly #context: PolicyContext;
  readonly #policies = new Map<SisKind, TablePolicy>();

  constructor(context: PolicyContext) {
    this.#context = context;
  }

  of(kind: SisKind): TablePolicy {
    const policy = this.#policies.get(kind) ?? new POLICIES[kind](this.#context);
    this.#policies.set(kind, policy);
    return policy;
  }

  /** Lists the policies of the tables in the upload. */
  get all(): TablePolicy[] {
    return [...this.#policies.values()];
  }
}
