/**
 * Group categories over the documented calls (LMS-15, LMS-16, LMS-21): scope check, creation, and setting an SIS ID.
 * The LMS saves a category before it sets its SIS ID, so after any failure the category is read again before a result
 * is reported.
 */
import { groupCategory, type GroupCategory as ReadCategory } from '@lms-admin/contract/canvas-objects';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import type { ToolId } from '@lms-admin/contract/tools';
import { topAccounts } from '@lms-admin/domain/access';
import { categorySisId, sameCategoryName } from '@lms-admin/domain/groups';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { categoriesOf, categoryAt, type LmsCategory } from '../canvas/resources/groups.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { Audit } from '../platform/audit.ts';
import { AppError, fieldDetail } from '../platform/errors.ts';
import { Queues } from '../platform/queues.ts';

export interface CategoryParts {
  canvas: CanvasClient;
  scope: Scope;
  audit: Audit;
}

/** The admin who makes the request. */
interface Asking {
  admin: Admin;
  requestId: string;
  signal: AbortSignal;
}

const TOOL: ToolId = 'group-enrollment';
const LOOK_FIRST = 'Check the list of categories before you try again.';

/** Returns whether a category is in the admin's scope, by its course. A category of an account is only for `ALL`. */
export async function categoryInReach(
  parts: CategoryParts,
  admin: Admin,
  id: number,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await read(parts, admin, String(id), signal);
  if (!found) return false;
  if (!found.course_id) return topAccounts(admin.record) === 'all';
  return (await parts.scope.course(admin, found.course_id, signal)) !== null;
}

/**
 * Creates a category with the generated SIS ID (GRP-13), never twice: if the answer is lost, the list shows the
 * outcome.
 * @throws AppError not-found (also out of scope), bad-request (not the generated id), conflict (name or id is taken, or
 * it now exists without an SIS ID), lms-down (outcome unknown)
 */
export function createCategory(
  parts: CategoryParts,
  asking: Asking,
  courseId: number,
  wanted: { name: string; sis_group_category_id: string },
): Promise<ReadCategory> {
  // The LMS allows names that differ only in case: the second request must see the category of the first.
  return making.run(courseId, asking.signal, () => makeCategory(parts, asking, courseId, wanted));
}

const making = new Queues<number>();

async function makeCategory(
  parts: CategoryParts,
  asking: Asking,
  courseId: number,
  wanted: { name: string; sis_group_category_id: string },
): Promise<ReadCategory> {
  const { admin, signal } = asking;
  // Without the cache, since this is the last check: the course may just have moved out of scope.
  const course = await parts.scope.withoutCache().course(admin, courseId, signal);
  if (!course) {
    throw new AppError('not-found', {
      message: 'The course no longer exists, or you do not have access to it.',
      next: 'Close the dialog and choose the course again.',
    });
  }
  const sisId = wanted.sis_group_category_id;
  requireGenerated(sisId, course.sis_course_id, wanted.name);
  const path = `courses/${courseId}/group_categories`;
  const list = () =>
    categoriesOf({ canvas: parts.canvas, token: admin.token, signal }, `courses/${courseId}`);
  const before = await list();
  const same = before.find(({ name }) => sameCategoryName(name, wanted.name));
  if (same) throw taken(`The course already has a category ‘${same.name}’. Use it, or choose another name.`);
  await requireFree(parts, asking, sisId);

  const detail = { course: courseId, name: wanted.name, sis_group_category_id: sisId };
  await record(parts, asking, 'group category requested', detail);
  let refusal: CanvasError;
  try {
    const body = { name: wanted.name, sis_group_category_id: sisId };
    const { data } = await parts.canvas.call({
      token: admin.token,
      method: 'POST',
      path,
      body,
      answer: groupCategory,
      signal,
    });
    if (data.sis_group_category_id === sisId) {
      await record(parts, asking, 'group category created', { ...detail, category: data.id });
      return data;
    }
    refusal = new CanvasError('odd', {
      sent: 'maybe',
      detail: 'the category has a different SIS ID from the one requested',
    });
  } catch (error) {
    if (!(error instanceof CanvasError) || error.sent === 'no' || error.ofToken) throw error;
    refusal = error;
  }
  const known = new Set(before.map(({ id }) => id));
  const created = (
    await unlessSilent(list, refusal, 'LMS Admin could not confirm that the category was created.')
  ).find(({ id, name }) => !known.has(id) && sameCategoryName(name, wanted.name));
  if (created)
    await record(parts, asking, 'group category created', {
      ...detail,
      category: created.id,
      after: refusal.kind,
    });
  return createdOrThrow(created, sisId, refusal);
}

/** Returns the result for a category that was looked up after a failed call to create it. */
function createdOrThrow(
  created: ReadCategory | undefined,
  sisId: string,
  refusal: CanvasError,
): ReadCategory {
  const isLost = refusal.sent === 'maybe';
  if (created?.sis_group_category_id === sisId) {
    // A rejected call created nothing, so another person created the category first.
    if (!isLost) throw taken('Another person has just created it. Use it, or choose another name.');
    return created;
  }
  if (created) {
    const give =
      'give it an SIS ID in the list of categories. Files can refer to a category only by its SIS ID.';
    throw new AppError('conflict', {
      message: `The category ‘${created.name}’ now exists, but has no SIS ID${isLost ? '.' : ` (${refusal.detail}).`}`,
      next: nextOfHalf(refusal, give),
      cause: refusal,
    });
  }
  if (isLost) throw lost('The category has not been created.', refusal);
  throw rejected(refusal, 'Choose another name.');
}

/** Describes the next step for a category without an SIS ID. */
function nextOfHalf({ kind }: CanvasError, give: string): string {
  if (kind === 'refused') return `Ask IT Support to check your permissions in the LMS, then ${give}`;
  return kind === 'rejected' ? HELD : give.replace('give', 'Give');
}

/** The LMS hides deleted categories, but they keep their ids. */
const HELD =
  'A category that was deleted in the LMS probably still has that ID. Delete this category in the LMS, and create one with another name.';

/**
 * Gives a category without an SIS ID the generated one (OP-108). A category that has it already is returned unchanged.
 * @throws AppError not-found (also out of scope), conflict (it has another, or another category has this one),
 * bad-request
 */
export async function giveCategorySisId(
  parts: CategoryParts,
  asking: Asking,
  id: number,
  sisId: string,
): Promise<ReadCategory> {
  const { admin, signal } = asking;
  const found = await read(parts, admin, String(id), signal);
  const course = found?.course_id
    ? await parts.scope.withoutCache().course(admin, found.course_id, signal)
    : null;
  if (!found || !course) {
    throw new AppError('not-found', {
      message: 'The group category no longer exists, or you do not have access to it.',
      next: 'Choose another category. The list shows those that the course has now.',
    });
  }
  if (found.sis_group_category_id === sisId) return found;
  if (found.sis_group_category_id !== null) {
    throw new AppError('conflict', {
      message: 'The category already has a different SIS ID.',
      next: 'Use the SIS ID that it has.',
    });
  }
  requireGenerated(sisId, course.sis_course_id, found.name);
  await requireFree(parts, asking, sisId);
  const detail = { course: course.id, category: id, sis_group_category_id: sisId };
  await record(parts, asking, 'group category SIS ID requested', detail);
  try {
    const { data } = await parts.canvas.call({
      token: admin.token,
      method: 'PUT',
      path: `group_categories/${id}`,
      body: { ...settingsOf(found), sis_group_category_id: sisId },
      answer: groupCategory,
      signal,
    });
    await record(parts, asking, 'group category SIS ID set', detail);
    return data;
  } catch (error) {
    if (!(error instanceof CanvasError) || error.sent === 'no' || error.ofToken) throw error;
    if (error.sent !== 'maybe') {
      throw rejected(error, HELD);
    }
    const recheck = () => read(parts, admin, String(id), signal);
    const now = await unlessSilent(
      recheck,
      error,
      'LMS Admin could not confirm that the category has its SIS ID.',
    );
    if (now?.sis_group_category_id !== sisId) throw lost('The category has no SIS ID yet.', error);
    await record(parts, asking, 'group category SIS ID set', { ...detail, after: error.kind });
    return now;
  }
}

/** Repeats all settings of a category, because the LMS resets those that an update omits. */
function settingsOf({ name, self_signup, auto_leader, group_limit }: LmsCategory) {
  return {
    name,
    ...(self_signup ? { self_signup } : {}),
    ...(auto_leader ? { auto_leader } : {}),
    ...(group_limit === null ? {} : { group_limit }),
  };
}

function requireGenerated(sisId: string, sisCourseId: string | null, name: string): void {
  const generated = sisCourseId && categorySisId(sisCourseId, name);
  if (generated && generated === sisId) return;
  const detail = generated ? `should be ${generated}` : 'its course has no SIS ID';
  throw new AppError('bad-request', { details: [fieldDetail('sis_group_category_id', detail)] });
}

/** Requires that the SIS ID is free. @throws AppError conflict if a category has it; one out of scope is not named */
async function requireFree(parts: CategoryParts, { admin, signal }: Asking, sisId: string): Promise<void> {
  const holder = await read(parts, admin, sisSegment('group_category', sisId), signal);
  if (holder?.sis_group_category_id !== sisId) return;
  const course = holder.course_id ? await parts.scope.course(admin, holder.course_id, signal) : null;
  const where = course ? `the category ‘${holder.name}’ of ${course.name}` : 'another category of the LMS';
  throw taken(`The SIS ID ${sisId} belongs to ${where}. Choose another name.`);
}

function taken(next: string): AppError {
  return new AppError('name-taken', { message: groupEnrollmentMessages.category.duplicate, next });
}

function lost(message: string, cause: CanvasError): AppError {
  const shown = cause.toAppError();
  return new AppError(shown.code, { message: `${shown.message} ${message}`, next: LOOK_FIRST, cause });
}

/** Creates a rejection in the LMS's words; for a missing permission the error itself names the next step. */
function rejected(refusal: CanvasError, next: string): AppError {
  const shown = refusal.toAppError();
  if (refusal.kind !== 'rejected') return shown;
  return new AppError(shown.code, { message: shown.message, next, cause: refusal });
}

/** Reads the LMS again; if that fails too, reports the outcome as unknown. */
async function unlessSilent<T>(look: () => Promise<T>, first: CanvasError, unknown: string): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof CanvasError) throw lost(unknown, first);
    throw error;
  }
}

/** Reads a category by its number or SIS ID; null if none is visible. */
async function read(
  { canvas }: CategoryParts,
  admin: Admin,
  segment: string,
  signal: AbortSignal,
): Promise<LmsCategory | null> {
  try {
    return await categoryAt({ canvas, token: admin.token, signal }, segment);
  } catch (error) {
    if (error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused')) return null;
    throw error;
  }
}

function record(
  { audit }: CategoryParts,
  { admin, requestId }: Asking,
  event: string,
  detail: Record<string, unknown>,
): Promise<void> {
  return audit.write({ login: admin.login, tool: TOOL, event, detail, requestId });
}
