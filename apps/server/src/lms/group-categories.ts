/**
 * Group categories over the documented calls (LMS-15, LMS-16, LMS-21): which lie in reach, making one, and giving one an SIS
 * id. The LMS saves a category before it sets its SIS ID, so whatever goes wrong meanwhile is looked at before it is told.
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

/** Who asks. */
interface Asking {
  admin: Admin;
  requestId: string;
  signal: AbortSignal;
}

const TOOL: ToolId = 'group-enrollment';
const LOOK_FIRST = 'Check the list of categories before you try again.';

/** Whether a category lies in the admin's reach: its course does. One of an account is everybody's, and so no one's but `ALL`. */
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
 * Makes a category with the generated SIS ID (GRP-13). Never two: where the answer is lost, the list tells what came of it.
 * @throws AppError not-found (also out of reach), bad-request (not the generated id), conflict (name or id is taken; or it
 * exists now, without an SIS ID), lms-down (no one knows)
 */
export function createCategory(
  parts: CategoryParts,
  asking: Asking,
  courseId: number,
  wanted: { name: string; sis_group_category_id: string },
): Promise<ReadCategory> {
  // The LMS takes names that differ in case for two: anyone who comes second must see what the first has made.
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
  // Nothing looks at it again: a course that was moved just now is none of theirs.
  const course = await parts.scope.afresh().course(admin, courseId, signal);
  if (!course) throw new AppError('not-found');
  const sisId = wanted.sis_group_category_id;
  requireGenerated(sisId, course.sis_course_id, wanted.name);
  const path = `courses/${courseId}/group_categories`;
  const list = () =>
    categoriesOf({ canvas: parts.canvas, token: admin.token, signal }, `courses/${courseId}`);
  const before = await list();
  const same = before.find(({ name }) => sameCategoryName(name, wanted.name));
  if (same) throw taken(`The course has a category ‘${same.name}’. Use it, or choose another name.`);
  await requireFree(parts, asking, sisId);

  const detail = { course: courseId, name: wanted.name, sis_group_category_id: sisId };
  await record(parts, asking, 'group category asked for', detail);
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
      await record(parts, asking, 'group category made', { ...detail, category: data.id });
      return data;
    }
    refusal = new CanvasError('odd', {
      sent: 'maybe',
      detail: 'the category has another SIS ID than asked for',
    });
  } catch (error) {
    if (!(error instanceof CanvasError) || error.sent === 'no' || error.ofToken) throw error;
    refusal = error;
  }
  const known = new Set(before.map(({ id }) => id));
  const made = (
    await unlessSilent(list, refusal, 'LMS Admin could not confirm that the category was created.')
  ).find(({ id, name }) => !known.has(id) && sameCategoryName(name, wanted.name));
  if (made)
    await record(parts, asking, 'group category made', { ...detail, category: made.id, after: refusal.kind });
  return whatWasMade(made, sisId, refusal);
}

/** What is told of a category that is looked for after a call to make it has failed. */
function whatWasMade(made: ReadCategory | undefined, sisId: string, refusal: CanvasError): ReadCategory {
  const isLost = refusal.sent === 'maybe';
  if (made?.sis_group_category_id === sisId) {
    // A refused call made nothing: someone else was quicker.
    if (!isLost) throw taken('Another person has just created it. Use it, or choose another name.');
    return made;
  }
  if (made) {
    const give = 'give it one in the list of categories: files find a category by it only.';
    throw new AppError('conflict', {
      message: `The category ‘${made.name}’ exists now, but has no SIS ID${isLost ? '.' : ` (${refusal.detail}).`}`,
      next: nextOfHalf(refusal, give),
      cause: refusal,
    });
  }
  if (isLost) throw lost('The category has not been created.', refusal);
  throw rejected(refusal, 'Choose another name.');
}

/** What to do about a category without an SIS ID. */
function nextOfHalf({ kind }: CanvasError, give: string): string {
  if (kind === 'refused') return `Ask IT Support to check your permissions in the LMS, then ${give}`;
  return kind === 'rejected' ? HELD : give.replace('give', 'Give');
}

/** The LMS does not show deleted categories, which keep their ids. */
const HELD =
  'A category that was deleted in the LMS probably still has that id. Delete this category in the LMS, and create one with another name.';

/**
 * Gives a category without an SIS ID the generated one (OP-108). One that has it already is answered as it is.
 * @throws AppError not-found (also out of reach), conflict (it has another, or another category has this one), bad-request
 */
export async function giveCategorySisId(
  parts: CategoryParts,
  asking: Asking,
  id: number,
  sisId: string,
): Promise<ReadCategory> {
  const { admin, signal } = asking;
  const found = await read(parts, admin, String(id), signal);
  const course = found?.course_id ? await parts.scope.afresh().course(admin, found.course_id, signal) : null;
  if (!found || !course) throw new AppError('not-found');
  if (found.sis_group_category_id === sisId) return found;
  if (found.sis_group_category_id !== null) {
    throw new AppError('conflict', {
      message: 'The category already has another SIS ID.',
      next: 'Use the SIS ID that it has.',
    });
  }
  requireGenerated(sisId, course.sis_course_id, found.name);
  await requireFree(parts, asking, sisId);
  const detail = { course: course.id, category: id, sis_group_category_id: sisId };
  await record(parts, asking, 'group category SIS ID asked for', detail);
  try {
    const { data } = await parts.canvas.call({
      token: admin.token,
      method: 'PUT',
      path: `group_categories/${id}`,
      body: { ...settingsOf(found), sis_group_category_id: sisId },
      answer: groupCategory,
      signal,
    });
    await record(parts, asking, 'group category SIS ID given', detail);
    return data;
  } catch (error) {
    if (!(error instanceof CanvasError) || error.sent === 'no' || error.ofToken) throw error;
    if (error.sent !== 'maybe') {
      throw rejected(error, HELD);
    }
    const again = () => read(parts, admin, String(id), signal);
    const now = await unlessSilent(
      again,
      error,
      'LMS Admin could not confirm that the category has its SIS ID.',
    );
    if (now?.sis_group_category_id !== sisId) throw lost('The category has no SIS ID yet.', error);
    await record(parts, asking, 'group category SIS ID given', { ...detail, after: error.kind });
    return now;
  }
}

/** The LMS sets back what a change of a category leaves out. */
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

/** @throws AppError conflict where any category of the LMS has this SIS ID; one out of reach is not named */
async function requireFree(parts: CategoryParts, { admin, signal }: Asking, sisId: string): Promise<void> {
  const holder = await read(parts, admin, sisSegment('group_category', sisId), signal);
  if (holder?.sis_group_category_id !== sisId) return;
  const course = holder.course_id ? await parts.scope.course(admin, holder.course_id, signal) : null;
  const where = course ? `the category ‘${holder.name}’ of ${course.name}` : 'another category of the LMS';
  throw taken(`The SIS ID ${sisId} belongs to ${where}. Choose another name.`);
}

function taken(next: string): AppError {
  return new AppError('conflict', { message: groupEnrollmentMessages.category.duplicate, next });
}

function lost(message: string, cause: CanvasError): AppError {
  const shown = cause.toAppError();
  return new AppError(shown.code, { message: `${shown.message} ${message}`, next: LOOK_FIRST, cause });
}

/** A refusal in the LMS's words; what to do about a missing right is said by the failure itself. */
function rejected(refusal: CanvasError, next: string): AppError {
  const shown = refusal.toAppError();
  if (refusal.kind !== 'rejected') return shown;
  return new AppError(shown.code, { message: shown.message, next, cause: refusal });
}

/** Looks again; where that fails too, what is unknown is said. */
async function unlessSilent<T>(look: () => Promise<T>, first: CanvasError, unknown: string): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof CanvasError) throw lost(unknown, first);
    throw error;
  }
}

/** A category by its number or SIS ID; null when there is none that can be seen. */
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
