/** Enrolments files: permitted roles, and for limited scope only courses in scope and their sections (OP-14, OP-53). */
import type { RoleLevel } from '@lms-admin/domain/access';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { missingColumn, type RowCheck, roleCheck, type SisProblem } from '@lms-admin/domain/sis-rows';
import { ENROLLMENTS } from '@lms-admin/domain/sis-tables/enrollments';
import { mayGiveRole } from '../../access/rights.ts';
import { evaluatePlaces, foreignProblem, foreignSections, NamedPlaces } from '../../imports/named-places.ts';
import { tooManyCsvRows } from '../../imports/payload.ts';
import type { Report } from '../../imports/row-problems.ts';
import type { Judge } from '../../imports/sources.ts';
import type { Recheck } from '../../platform/schema.ts';
import { changed, TablePolicy } from './policy.ts';

/** The guide allows a section alone, or another id of a person, but these cannot be checked against a limited scope. */
const NEEDS_COURSE =
  'If you only have access to some programmes, each row needs a course_id, even if it has a section_id.';

function named(header: readonly string[], column: 'course_id' | 'user_id'): SisProblem | null {
  const problem = missingColumn(header, [column]);
  if (problem === null || column === 'user_id') return problem;
  return { column, message: `${problem.message} ${NEEDS_COURSE}` };
}

export class EnrollmentsPolicy extends TablePolicy {
  #places: NamedPlaces | null = null;
  #at = { course: -1, section: -1 };
  /** Roles in the file, as `id level`. */
  readonly #roles = new Set<string>();
  #rows = 0;

  override headerProblems(header: readonly string[]): SisProblem[] {
    if (!this.limited) return [];
    const problems = [named(header, 'course_id'), named(header, 'user_id')].flatMap(
      (problem) => problem ?? [],
    );
    // Without a `root_account` column, rows cannot name courses of another account.
    if (!header.includes('root_account')) return problems;
    return [
      ...problems,
      { column: 'root_account', message: 'You do not have permission to use the column root_account.' },
    ];
  }

  override async begin(header: readonly string[], report: Report): Promise<RowCheck[]> {
    const { services, admin, signal } = this.context;
    this.#at = { course: header.indexOf('course_id'), section: header.indexOf('section_id') };
    const roles = roleCheck(ENROLLMENTS, header, {
      mayGiveRole: (id, level) => {
        this.#roles.add(`${id} ${level}`);
        return mayGiveRole(admin, id, level);
      },
      hasRole: header.includes('role_id') ? await services.roles.numbered(admin.token, signal) : () => null,
      rolesNamed: header.includes('role') ? await services.roles.named(admin.token, signal) : () => [],
    });
    if (!this.limited) return [roles];
    this.#places = new NamedPlaces(services, admin, report, signal);
    const user = header.indexOf('user_id');
    return [
      (cells) => {
        const problems: SisProblem[] = [];
        if ((cells[this.#at.course] ?? '') === '')
          problems.push({ column: 'course_id', message: `The course is missing. ${NEEDS_COURSE}` });
        if ((cells[user] ?? '') === '')
          problems.push({ column: 'user_id', message: 'The SIS ID of the person is missing.' });
        return problems;
      },
      roles,
    ];
  }

  override take(row: number, cells: readonly string[]): void {
    const most = this.context.services.config.maxEnrollmentRows;
    if (++this.#rows > most) throw tooManyCsvRows(most);
    const course = cells[this.#at.course] ?? '';
    // Recorded even for a row with other problems, so that all problems are reported together.
    if (course !== '') this.#places?.note(row, course, cells[this.#at.section] ?? '');
  }

  override async between(): Promise<void> {
    await this.#places?.between();
  }

  override async end(): Promise<void> {
    await this.#places?.end();
  }

  override recheck(): Partial<Recheck> {
    const roles = [...this.#roles].map((text): [number, RoleLevel] => {
      const [id, level] = text.split(' ');
      return [Number(id), level as RoleLevel];
    });
    return { roles, courses: this.#places?.courses ?? [], sections: this.#places?.sections ?? [] };
  }

  override async ask(recheck: Recheck): Promise<void> {
    const { services, admin, signal } = this.context;
    for (const [role, level] of recheck.roles) {
      if (!mayGiveRole(admin, role, level))
        throw changed(`You no longer have permission to use the role ${role}.`);
    }
    if (!this.limited || recheck.courses.length === 0) return;
    const known = await services.scope.coursesBySisId(admin, recheck.courses, signal);
    const missing = recheck.courses.filter((course) => !known.has(course));
    if (missing.length > 0) {
      throw changed(
        'Some courses in this file no longer exist, or you no longer have access to them.',
        missing.map((course) => ['course_id', `The LMS has no course ${JSON.stringify(course)}.`]),
      );
    }
    const named = new Map(
      (recheck.sections ?? []).map(([course, ids]) => [course, new Map(ids.map((one) => [one, []]))]),
    );
    const foreign = await foreignSections(services.canvas, admin, known, named, signal);
    if (foreign.length === 0) return;
    throw changed(
      'Some sections in this file no longer belong to the courses in their rows.',
      foreign.map(foreignProblem),
    );
  }

  override judge(rows: () => AsyncIterable<CsvRow[]>): Promise<Judge> {
    const { services, admin, signal } = this.context;
    return evaluatePlaces(services, admin, rows, signal);
  }
}
