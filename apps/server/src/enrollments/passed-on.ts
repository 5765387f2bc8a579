/**
 * Detects changes to the wrong people. Rows name people by SIS IDs, which the school can reassign before the LMS
 * applies the rows. LMS Admin cannot prevent this, so it reads the places of an import again when it has ended.
 */
import { stateWords } from '@lms-admin/domain/enrollment-states';
import { shown as quoted } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { enrollmentsOf, type LmsEnrollment } from '../canvas/resources/enrollments.ts';
import { isDefinite, type Reader, one as readOne } from '../canvas/resources/reading.ts';
import { sectionBySisId } from '../canvas/resources/sections.ts';
import { userIdsOf } from '../canvas/resources/user-ids.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import type { CanvasClient } from '../canvas/types.ts';
import {
  readPlanChange,
  readPlanCourses,
  readPlanPeople,
  rewriteRows,
  type StoredPerson,
} from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { nameOf } from './others-since.ts';
import type { StoredCourse, StoredRows } from './plan-store.ts';

/** Number of places read at once. */
const AT_ONCE = 8;
const named = z.object({ id: z.number().int(), name: z.string() });
/** Maximum sentences per import; the first ones are enough to understand the problem. */
const MOST = 100;

interface PassedOnReader extends Reader {
  canvas: CanvasClient;
  signal: AbortSignal;
  /** Id of the import in the LMS, which is recorded in each enrolment that it wrote. */
  importId: number;
}

/** Rows sent for one section, with people as indexes. */
interface Sent {
  of: StoredCourse;
  rows: StoredRows;
  section: number;
  role: number;
  status: string;
  people: number[];
}

/** Differences at a place: people without the expected change, and people changed without being in the rows. */
interface Wrong {
  sent: Sent;
  missing: number[];
  /** Whether the LMS applied any of the rows to this place. */
  applied: boolean;
  strangers: LmsEnrollment[];
}

/**
 * Returns a sentence for each person who was changed by mistake or missed because an SIS ID was reassigned, and for
 * each section whose SIS ID was reassigned. Also marks missed people and such sections in the plan.
 * @throws the signal's reason; CanvasError if the LMS does not answer
 */
export async function idsPassedOn(db: Db, plan: string, reader: PassedOnReader): Promise<string[]> {
  const people = (await readPlanPeople(db, plan)) ?? [];
  // Plans of earlier versions have no user ids.
  if (people.some(([, , , id]) => id === undefined)) return [];
  const change = await readPlanChange(db, plan);
  const wholeCourses = (change?.roleId ?? null) !== null;
  const places = new Map<string, Sent[]>();
  const unnamed: Sent[] = [];
  for await (const of of readPlanCourses<StoredRows[]>(db, plan)) {
    for (const one of sentIn(of, change)) {
      const place = wholeCourses ? `courses/${of.courseId}` : `sections/${one.section}`;
      places.set(place, [...(places.get(place) ?? []), one]);
      if (sisIdIn(one.rows) === '') unnamed.push(one);
    }
  }
  const wrong = await mapLimited([...places], AT_ONCE, ([place, expected]) =>
    wrongIn(reader, place, { expected, unnamed }, people),
  );
  const { texts, passed } = await judged(reader, wrong.flat(), people);
  if (passed.length > 0) {
    const write = await rewriteRows(plan, [...new Set(passed.map(({ of }) => of))]);
    await db.transaction(write);
  }
  return texts;
}

function sentIn(of: StoredCourse, change: { roleId: number | null; status: string | null } | null): Sent[] {
  return of.rows.flatMap((rows) => {
    const section = rows.section ?? rows.made ?? null;
    const role = rows.role ?? change?.roleId ?? null;
    const status = rows.status ?? change?.status ?? null;
    const people = Object.values(rows.sent ?? {}).flat();
    if (section === null || role === null || status === null || people.length === 0) return [];
    return { of, rows, section, role, status, people };
  });
}

/**
 * Reads a place and compares it with the rows sent there.
 * @param unnamed rows that name no section: the LMS can apply them to a section other than the one in the review, which
 * `rowsAstray` reports
 */
async function wrongIn(
  reader: PassedOnReader,
  place: string,
  { expected: sent, unnamed }: { expected: readonly Sent[]; unnamed: readonly Sent[] },
  people: readonly StoredPerson[],
): Promise<Wrong[]> {
  const found = await readPlace(reader, place, sent);
  if (found === null) return [];
  const inSection = new Map<number, LmsEnrollment[]>();
  for (const one of found) {
    // Observers are enrolled and removed together with their students.
    if (one.associated_user_id != null) continue;
    const expected = inSection.get(one.course_section_id);
    if (expected) expected.push(one);
    else inSection.set(one.course_section_id, [one]);
  }
  const numberOf = (index: number) => people[index]?.[3];
  return sent.map((one): Wrong => {
    const here = (inSection.get(one.section) ?? []).filter(({ role_id }) => role_id === one.role);
    const states = new Map<number, Set<string>>();
    for (const { user_id, enrollment_state: state } of here)
      states.set(user_id, (states.get(user_id) ?? new Set()).add(state));
    const isDone = (expected: ReadonlySet<string> = new Set()) =>
      one.status === 'deleted'
        ? [...expected].every((state) => state === 'deleted')
        : expected.has(one.status);
    // The same section may have rows with different statuses.
    const named = [
      ...sent.filter(({ section }) => section === one.section),
      ...unnamed.filter(({ role, status }) => role === one.role && status === one.status),
    ];
    const known = new Set(named.flatMap((each) => each.people.map(numberOf)));
    const own = new Set(one.people.map(numberOf));
    return {
      sent: one,
      missing: one.people.filter((index) => !isDone(states.get(numberOf(index) ?? 0))),
      applied: here.some(({ sis_import_id: by, user_id }) => by === reader.importId && own.has(user_id)),
      strangers: here.filter(
        ({ sis_import_id: by, user_id, enrollment_state: state }) =>
          by === reader.importId && state === one.status && !known.has(user_id),
      ),
    };
  });
}

/** Returns the enrolments of a place with the roles that were sent, or null if access is refused. */
async function readPlace(
  reader: PassedOnReader,
  place: string,
  sent: readonly Sent[],
): Promise<LmsEnrollment[] | null> {
  const roles = new Set(sent.map(({ role }) => role));
  const [roleId] = roles;
  const deleted = sent.some(({ status }) => status === 'deleted');
  try {
    return await enrollmentsOf(reader, place, { deleted, ...(roles.size === 1 ? { roleId } : {}) });
  } catch (error) {
    if (isDefinite(error)) return null;
    throw error;
  }
}

/** Writes the sentences. A missing change only counts if an SIS ID was reassigned: others change enrolments too. */
async function judged(
  reader: PassedOnReader,
  wrong: readonly Wrong[],
  people: readonly StoredPerson[],
): Promise<{ texts: string[]; passed: Sent[] }> {
  const sisIdOf = (index: number) => people[index]?.[2] ?? '';
  const missing = new Set(wrong.flatMap((one) => one.missing.map(sisIdOf)));
  const { canvas, token, signal } = reader;
  const owners = await userIdsOf(canvas, token, missing, signal);
  const texts: string[] = [];
  const passed: Sent[] = [];
  const isTheirs = (index: number) => {
    const owner = owners.get(sisIdOf(index));
    return owner === 'unread' || owner === people[index]?.[3];
  };
  // These people kept their SIS IDs but were not changed: the ID of their section or course may have been reassigned.
  const suspects = wrong.filter((one) => !one.applied && one.missing.some(isTheirs));
  const moved = new Map(
    await mapLimited(suspects, AT_ONCE, async ({ sent }) => [sent, await placeNow(reader, sent)] as const),
  );
  const taken = new Set([...moved.values()].map((now) => now && placeKey(now)));
  for (const { sent, missing: missingPeople, strangers } of wrong) {
    // Rows of a section or course that lost its SIS ID are reported with that section or course.
    const unexplained = strangers.filter(
      (one) => !taken.has(`section ${one.course_section_id}`) && !taken.has(`course ${one.course_id}`),
    );
    const others = new Map(
      unexplained.map((one) => [one.user_id, one.user?.name || `person ${one.user_id}`]),
    );
    const gone = missingPeople.filter((index) => !isTheirs(index));
    for (const index of gone) {
      const [, name, sisId] = people[index] ?? ['', '', ''];
      const owner = owners.get(sisId) as number | undefined;
      const instead = owner === undefined ? undefined : others.get(owner);
      if (owner !== undefined) others.delete(owner);
      texts.push(sentence(sent, nameOf(name, sisId), { sisId, owner, instead }));
    }
    for (const other of others.values())
      texts.push(
        `The LMS applied a row to ${other}, who was not in the review. This person had the SIS ID of a person who should have been ${done(sent)}. ${CHECK}`,
      );
    const now = moved.get(sent) ?? null;
    if (now) {
      texts.push(elsewhere(sent, now));
      sent.rows.astray = true;
    }
    if (gone.length > 0) sent.rows.passed = gone;
    if (now || gone.length > 0) passed.push(sent);
  }
  const more = texts.length - MOST;
  return {
    texts: more > 0 ? [...texts.slice(0, MOST), `The same happened to ${more} more people.`] : texts,
    passed,
  };
}

// The LMS marks everyone in the rows with the import, so it is unknown whether they were enrolled before.
const CHECK = 'Check who is enrolled there, and correct any mistakes.';

interface Place {
  what: 'section' | 'course';
  id: number;
  name: string;
}

const placeKey = ({ what, id }: Place) => `${what} ${id}`;

/** The SIS ID by which rows name their section; empty if they name none. */
const sisIdIn = ({ as, sis }: StoredRows): string => as ?? sis;

/** Returns the section or course that now has the SIS ID used in the rows, or null if the ID was not reassigned. */
async function placeNow(reader: PassedOnReader, { of, rows, section }: Sent): Promise<Place | null> {
  const sisId = sisIdIn(rows);
  const what = sisId === '' ? 'course' : 'section';
  const now = await unlessDefinite(
    sisId === ''
      ? readOne(reader, `courses/${sisSegment('course', of.sisCourseId)}`, named)
      : sectionBySisId(reader, sisId),
  );
  if (now === null || now.id === (what === 'course' ? of.courseId : section)) return null;
  return { what, id: now.id, name: now.name };
}

function elsewhere({ of, rows }: Sent, { what, name }: Place): string {
  const sisId = sisIdIn(rows) || of.sisCourseId;
  return `The SIS ID ${quoted(sisId)} was given to another ${what} while the import was being sent. The LMS applied the rows of ${nameIn(of, rows)} to ${what} '${name}' instead. ${CHECK}`;
}

async function unlessDefinite<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isDefinite(error)) return null;
    throw error;
  }
}

const nameIn = (of: StoredCourse, { name }: StoredRows) =>
  `course ${of.sisCourseId}${name === null ? '' : `, section '${name}'`}`;

/** Describes the change of a row: `removed from course X, section 'Y'` */
function done({ of, rows, status }: Sent): string {
  const where = nameIn(of, rows);
  if (status === 'active') return `added to ${where}`;
  return status === 'deleted' ? `removed from ${where}` : `made ${stateWords(status)} in ${where}`;
}

function sentence(
  sent: Sent,
  who: string,
  { sisId, owner, instead }: { sisId: string; owner: number | undefined; instead: string | undefined },
): string {
  const why =
    owner === undefined
      ? `the LMS no longer has a person with the SIS ID ${quoted(sisId)}`
      : `the SIS ID ${quoted(sisId)} was given to another person while the import was being sent`;
  const other = instead === undefined ? '' : ` The LMS applied the row to ${instead} instead.`;
  return `${who} was not ${done(sent)}: ${why}.${other} ${CHECK}`;
}
