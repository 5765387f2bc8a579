/** Contents of the LMS in the places that rows of enrolments change. */
import type { GonePlace, SectionAt } from '@lms-admin/domain/sis-effect/held-place';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import type { SectionMove } from './course-enrolments.ts';
import { type CourseRef, sameCourse } from './course-ref.ts';
import type { Evaluation } from './evaluation.ts';
import { type FoundSection, type Holding, holdingOf, sectionBySisId } from './holdings.ts';
import {
  byDeletedLogin,
  type Course,
  existsBy,
  type FoundPlace,
  formerIn,
  hadLoginBy,
  placeOf,
} from './landed-place.ts';
import type { RolesOfLms } from './roles.ts';
import { type Away, type Problem, type Spot, sectionOfUpload, type Where } from './spots.ts';
import type { PackedEnrolment } from './upload-rows.ts';

export type Place = FoundPlace | 'missing' | 'unread' | 'perhaps' | 'gone';

export interface EnrolmentTarget {
  where: Where;
  /** Rows in the order of the file. */
  rows: readonly PackedEnrolment[];
  place: Place;
  /** Set for a deleted place. */
  gone: GonePlace | null;
  away: readonly Away[];
  /** Whether rows without a section may affect another course. */
  perhapsAway: boolean;
}

/** @throws CanvasError when the token is refused */
export async function targetOf(
  evaluation: Evaluation,
  spot: Spot,
  roles: RolesOfLms,
): Promise<EnrolmentTarget> {
  const { where, away, problem } = spot;
  const rows = spot.rows
    .map((at) => evaluation.uploadRows.enrolments.read(at))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const target = { where, rows, away, gone: null, perhapsAway: spot.perhapsAway ?? false };
  const unreached = async (why: Problem): Promise<EnrolmentTarget> =>
    why === 'gone' || why === 'deleted'
      ? { ...target, place: 'gone', gone: await gonePlace(evaluation, why, spot, rows) }
      : { ...target, place: why };
  if (problem !== null) return unreached(problem);
  const course =
    spot.course === null ? await courseOf(evaluation, where.id) : await courseBehind(evaluation, spot.course);
  if (typeof course === 'string') return unreached(course);
  const holding = await courseHolding(evaluation, course);
  if (typeof holding === 'string') return { ...target, place: holding };
  return { ...target, place: await placeOf(evaluation, rows, course, holding, roles) };
}

async function gonePlace(
  evaluation: Evaluation,
  why: 'gone' | 'deleted',
  { where }: Spot,
  rows: readonly PackedEnrolment[],
): Promise<GonePlace> {
  const { uploadState, people, courses, courseEnrolments } = evaluation;
  const byId = await people.byId(
    rows.flatMap(([, , user, , , , , , , , student]) => (student === '' ? [user] : [user, student])),
  );
  const exists = (user: string) => existsBy(uploadState, people, user, byId(user));
  const hadLogin = (user: string) => hadLoginBy(uploadState, user, byId(user));
  const mayBeFormer = (user: string) => formerIn(evaluation, user);
  const held = courses.of(where.id);
  const at = await sectionsAt(
    evaluation,
    { id: typeof held === 'object' ? held.id : null, sisId: where.id },
    new Set(rows.flatMap(([, , , section]) => (section === '' ? [] : [section]))),
  );
  const known = {
    ...(where.by === 'section' ? {} : { course: where.id }),
    exists,
    hadLogin,
    mayBeFormer,
    byDeletedLogin: (user: string) => byDeletedLogin(evaluation, user),
    mayHaveMoved: (sisId: string) => uploadState.perhaps.has(sisId),
    sectionAt: (sisId: string) => at.get(sisId) ?? 'here',
  };
  if (why === 'deleted') return { ...known, gone: 'course in the LMS', elsewhere: true };
  const sections = typeof held === 'object' ? await courseEnrolments.sections(held) : [];
  const elsewhere =
    typeof held === 'object' &&
    (typeof sections === 'string' || holdingOf(held, sections, []).defaultSection === null);
  return { ...known, gone: 'course', elsewhere };
}

/** Returns the current places of the sections in rows of a deleted course, after the earlier rows. */
async function sectionsAt(
  { asking, uploadState, courseEnrolments }: Evaluation,
  course: CourseRef,
  named: ReadonlySet<string>,
): Promise<Map<string, SectionAt>> {
  const places = new Map<string, SectionAt>();
  await mapLimited([...named], AT_ONCE, async (section) => {
    const fresh = sectionOfUpload(uploadState, section);
    const found = fresh ? null : await sectionBySisId(asking, section);
    if (typeof found === 'string') return places.set(section, found);
    const to = found && courseEnrolments.moves.get(found.id)?.to;
    const inside = fresh
      ? fresh.course === course.sisId
      : sameCourse(to ?? { id: found?.courseId ?? null, sisId: found?.course ?? '' }, course);
    return places.set(section, inside ? 'here' : 'elsewhere');
  });
  return places;
}

/** Finds a course with its sections and enrolments, after the earlier rows. */
async function courseHolding(
  { uploadState, courseEnrolments }: Evaluation,
  course: Course,
): Promise<Answer<Holding>> {
  const [sections, enrolments] = await Promise.all([
    course.id === null || course.hidden
      ? []
      : courseEnrolments.sections({ id: course.id, sisId: course.sisId }),
    courseEnrolments.now(course, course.hidden),
  ]);
  if (typeof sections === 'string') return sections;
  if (typeof enrolments === 'string') return enrolments;
  const moves = [...courseEnrolments.moves.values()];
  const stay = sections.filter((section) => !courseEnrolments.moves.has(section.id));
  const moved = moves.filter(({ to }) => sameCourse(to, course)).map(movedSection);
  const isGone = ({ sisId }: FoundSection) => sisId !== null && uploadState.has('section', sisId) === false;
  const [left, into] = [stay, moved].map((lists) => lists.filter((one) => !isGone(one))) as [
    FoundSection[],
    FoundSection[],
  ];
  const holding = {
    ...holdingOf(course, [...left, ...into], enrolments),
    gone: [...[...stay, ...moved].filter(isGone), ...buriedIn(uploadState, course)],
  };
  // The LMS hides the contents of a deleted course.
  const broughtIn = course.hidden ? null : uploadState.journeys.defaultIn(course, sections);
  if (broughtIn !== null) return { ...holding, broughtIn, maybeDefault: new Set() };
  // A course of the same upload has no section yet; the LMS creates its default one, which needs no note.
  const bare = course.id === null || (course.hidden && into.length === 0);
  return bare ? { ...holding, defaultSection: 0, maybeDefault: new Set() } : holding;
}

/** Returns the sections that the upload creates as deleted ones, with numbers that no other section has. */
function buriedIn({ buriedSections }: Evaluation['uploadState'], course: Course): FoundSection[] {
  return [...buriedSections].flatMap(([sisId, { course: of, name }], at) =>
    of === course.sisId
      ? { ...BURIED, id: BURIED.id - at, name, sisId, course: of, courseId: course.id ?? 0 }
      : [],
  );
}

const BURIED: Omit<FoundSection, 'name' | 'sisId' | 'course' | 'courseId'> = {
  id: -1_000_000,
  home: null,
  crossListed: false,
  start: null,
  end: null,
  integrationId: null,
};

const movedSection = ({ section, to, home }: SectionMove): FoundSection => ({
  ...section,
  course: to.sisId,
  home: home?.id ?? null,
  crossListed: home !== null,
});

async function courseOf(
  { uploadState, courses, around }: Evaluation,
  sisId: string,
): Promise<Course | Problem> {
  const here = uploadState.has('course', sisId);
  if (here === false) return 'gone';
  const held = courses.of(sisId);
  if (typeof held === 'object' && (held.state !== 'deleted' || here === true)) {
    const term = (await around.terms())?.names.get(held.termId) ?? null;
    return { id: held.id, sisId, name: held.name, term, hidden: held.state === 'deleted' };
  }
  if (here === true) return { id: null, sisId, name: sisId, term: null };
  if (uploadState.perhaps.has(sisId)) return 'perhaps';
  return typeof held === 'object' ? 'deleted' : held;
}

/** Returns a course that rows affect only through its sections. */
async function courseBehind(evaluation: Evaluation, { id, sisId }: CourseRef): Promise<Course | Problem> {
  const { asking, courses, uploadState } = evaluation;
  if (id === null || typeof courses.of(sisId) === 'object') return courseOf(evaluation, sisId);
  if (sisId !== '' && uploadState.has('course', sisId) === false) return 'gone';
  const found = await answered(asking, () => asking.services.scope.course(asking.admin, id, asking.signal));
  const known = typeof found === 'object' && found !== null ? found : null;
  return {
    id,
    // The SIS ID after earlier rows, which may differ from that in the LMS.
    sisId: sisId || (known?.sis_course_id ?? ''),
    name: known?.name ?? sisId,
    term: known?.term?.name ?? null,
  };
}
