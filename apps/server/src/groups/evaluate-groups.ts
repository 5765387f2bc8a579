/** Checks rows that create groups: each needs a category of a course in scope, and an unused id and name. */
import type { CourseIndex, GroupElsewhere } from '@lms-admin/domain/group-course';
import { evaluateGroup, fits, groupStatusProblem, unknownGroupIds } from '@lms-admin/domain/group-plan';
import { nameKey } from '@lms-admin/domain/groups';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { type ElsewhereServices, findCategories, groupsElsewhere } from './elsewhere.ts';
import { readGroups } from './read-course.ts';

/** Number of courses read at once. */
const AT_ONCE = 8;

interface GroupRow {
  row: number;
  group_category_id: string;
  group_id: string;
  name: string;
  status: string;
}

/** Returns the problem of each invalid row. @throws CanvasError if the LMS does not answer */
export async function evaluateGroupRows(
  services: ElsewhereServices,
  admin: Admin,
  rows: readonly GroupRow[],
  signal: AbortSignal,
): Promise<Map<number, SisProblem>> {
  const { canvas, scope } = services;
  const problems = new Map<number, SisProblem>();
  const named = rows.map((one) => one.group_category_id).filter(fits);
  const categories = await findCategories(canvas, admin, named, signal);
  const known = await scope.courses(
    admin,
    [...categories.values()].flatMap(({ course }) => course ?? []),
    signal,
  );
  const indexes = new Map(
    await mapLimited([...known.keys()], AT_ONCE, async (id) => {
      const index = await readGroups({ canvas, token: admin.token, signal }, id);
      const own = rows.filter((one) => categories.get(one.group_category_id)?.course === id);
      const unknownIds = unknownGroupIds(
        own.map((one) => one.group_id),
        index,
      );
      return [
        id,
        { index, elsewhere: await groupsElsewhere(services, admin, unknownIds, signal, { here: id }) },
      ] as const;
    }),
  );
  const seen = new Map<string, number>();
  for (const row of rows) {
    const category = categories.get(row.group_category_id);
    const course = indexes.get(category?.course ?? 0);
    const problem = category && course ? problemOf(row, category.id, course) : noCategory(row);
    const earlier = seen.get(row.group_id) ?? seen.get(nameIn(row));
    if (problem) problems.set(row.row, problem);
    else if (earlier !== undefined) {
      problems.set(row.row, {
        column: 'group_id',
        message: `Row ${earlier} has the same ID or the same name.`,
      });
    }
    seen.set(row.group_id, row.row);
    seen.set(nameIn(row), row.row);
  }
  return problems;
}

const nameIn = ({ group_category_id, name }: GroupRow) => JSON.stringify([group_category_id, nameKey(name)]);

function noCategory({ group_category_id: id }: GroupRow): SisProblem {
  return { column: 'group_category_id', message: `Your courses have no group category ${shown(id)}.` };
}

function problemOf(
  row: GroupRow,
  categoryId: number,
  { index, elsewhere }: { index: CourseIndex; elsewhere: ReadonlyMap<string, GroupElsewhere> },
): SisProblem | null {
  const status = groupStatusProblem(row.status);
  if (status) return status;
  const category = index.category(categoryId);
  // Between the two calls, the SIS ID may have been given to another category, perhaps out of scope.
  if (category?.sisId !== row.group_category_id) return noCategory(row);
  const { fate, why, column } = evaluateGroup(
    { id: row.group_id, name: row.name },
    category,
    index,
    elsewhere,
  );
  return fate === 'refused' ? { column, message: why ?? '' } : null;
}
