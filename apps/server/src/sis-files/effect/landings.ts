/** Where rows of enrolments land, and what the LMS holds there: a section that was cross-listed away is followed. */
import { type Answer, answered } from './ask.ts';
import { grouped, type NamedPlace, type PackedEnrolment } from './gathered.ts';
import { courseHolding, enrolmentsOf, type FoundSection, type Holding, sectionBySisId } from './holdings.ts';
import type { Judging } from './judging.ts';

/** A place as it was found. */
export interface FoundPlace {
  /** `id` null for a course of the same upload. */
  course: { id: number | null; sisId: string; name: string };
  term: string | null;
  holding: Holding;
  /** Numbers of the sections by SIS id, those of the same upload too. */
  sections: ReadonlyMap<string, number>;
  people: ReadonlyMap<string, { id: number; name: string }>;
  exists: (user: string) => boolean | null;
}
/** `gone`: the same upload deletes it. */
export type Place = FoundPlace | 'missing' | 'unread' | 'gone';

export type Where = Pick<NamedPlace, 'by' | 'id'>;

/** Rows of a place that land together. */
export interface Landing {
  where: Where;
  rows: readonly PackedEnrolment[];
  place: Place;
  /** Of a section that was cross-listed away: SIS id of the course that the rows name it with. */
  from: string | null;
}

/** @throws CanvasError when the token is refused */
export async function landingsOf(judging: Judging, { by, id, rows: packed }: NamedPlace): Promise<Landing[]> {
  const where = { by, id };
  const all = packed.map((at) => judging.gathered.enrolments.read(at));
  const whole = (place: Place): Landing[] => [{ where, rows: all, place, from: null }];
  if (by === 'section') return whole(await sectionPlace(judging, id, all, null));
  const course = await courseOf(judging, id);
  if (typeof course === 'string') return whole(course);
  const holding =
    course.id === null
      ? { enrolments: [], sections: [], defaultSection: 0 }
      : await courseHolding(judging.asking, { id: course.id, sisId: id, name: course.name });
  if (typeof holding === 'string') return whole(holding);
  const away: Landing[] = [];
  for (const [section, rows] of strangeSections(judging, id, all, holding)) {
    const place = await sectionPlace(judging, section, rows, course.id);
    // A section of another course altogether: the LMS refuses the row.
    if (place === 'missing') continue;
    away.push({ where: { by: 'section', id: section }, rows, place, from: id });
  }
  const left = new Set(away.flatMap(({ rows }) => rows));
  const rows = all.filter((row) => !left.has(row));
  if (rows.length === 0) return away;
  return [{ where, rows, place: await found(judging, rows, course, holding), from: null }, ...away];
}

interface Course {
  id: number | null;
  sisId: string;
  name: string;
  term: string | null;
}

async function courseOf(
  { made, courses, around }: Judging,
  sisId: string,
): Promise<Course | 'missing' | 'unread' | 'gone'> {
  const here = made.has('course', sisId);
  if (here === false) return 'gone';
  const held = courses.of(sisId);
  if (typeof held === 'object' && held.state !== 'deleted') {
    const terms = await around.terms();
    return { id: held.id, sisId, name: held.name, term: terms?.names.get(held.termId) ?? null };
  }
  if (here === true) return { id: null, sisId, name: sisId, term: null };
  return held === 'unread' ? 'unread' : 'missing';
}

/** Rows by the sections that the course does not have, as it is and as the upload leaves it. */
function strangeSections(
  { made }: Judging,
  course: string,
  rows: readonly PackedEnrolment[],
  { sections }: Holding,
): Map<string, PackedEnrolment[]> {
  const known = new Set(sections.flatMap(({ sisId }) => sisId ?? []));
  const strange = rows.filter(([, , , section]) => {
    return section !== '' && !known.has(section) && made.sections.get(section) !== course;
  });
  return grouped(strange, ([, , , section]) => section);
}

/** A section by itself. @param home number of the course that it must have been cross-listed from; null for any */
async function sectionPlace(
  judging: Judging,
  sisId: string,
  rows: readonly PackedEnrolment[],
  home: number | null,
): Promise<Place> {
  const { asking, made } = judging;
  if (made.has('section', sisId) === false) return home === null ? 'gone' : 'missing';
  const section: Answer<FoundSection> = await sectionBySisId(asking, sisId);
  if (typeof section === 'string') {
    if (section === 'missing' && made.sections.has(sisId)) return madeSection(judging, sisId, rows);
    return section;
  }
  if (home !== null && section.home !== home) return 'missing';
  const enrolments = await enrolmentsOf(asking, `sections/${section.id}`);
  if (typeof enrolments === 'string') return enrolments;
  const course = await answered(asking, () =>
    asking.services.scope.course(asking.admin, section.courseId, asking.signal),
  );
  const known = typeof course === 'object' && course !== null ? course : null;
  return found(
    judging,
    rows,
    {
      id: section.courseId,
      sisId: known?.sis_course_id ?? '',
      name: known?.name ?? '',
      term: known?.term?.name ?? null,
    },
    { enrolments, sections: [section], defaultSection: null },
  );
}

/** A section that the same upload makes. */
function madeSection(judging: Judging, sisId: string, rows: readonly PackedEnrolment[]): Promise<Place> {
  const course = judging.made.sections.get(sisId) ?? '';
  const held = judging.courses.of(course);
  const name = typeof held === 'object' ? held.name : course;
  return found(
    judging,
    rows,
    { id: typeof held === 'object' ? held.id : null, sisId: course, name, term: null },
    { enrolments: [], sections: [], defaultSection: null },
  );
}

/** The place as the rows name its people. */
async function found(
  { made, people }: Judging,
  rows: readonly PackedEnrolment[],
  course: Course,
  holding: Holding,
): Promise<Place> {
  const users = new Set(rows.map(([, , user]) => user));
  const shown = new Map(holding.enrolments.map((one) => [one.user, one]));
  // An enrolment may show another of a person's SIS ids, or none: whom the place does not show is asked about.
  const byId = await people.byId([...users].filter((user) => !shown.has(user)));
  const seen = new Map<string, { id: number; name: string }>();
  const idOf = new Map<number, string>();
  for (const user of users) {
    const there = shown.get(user);
    const asked = there ? null : byId(user);
    if (there) seen.set(user, { id: there.userId, name: there.name ?? user });
    if (asked !== null && typeof asked === 'object') {
      seen.set(user, { id: asked.id, name: asked.name });
      idOf.set(asked.id, user);
    }
  }
  const gone = (sisId: string | null) => sisId !== null && made.has('section', sisId) === false;
  const left = holding.sections.filter(({ sisId }) => !gone(sisId));
  const ids = new Set(holding.sections.filter(({ sisId }) => gone(sisId)).map(({ id }) => id));
  const sections = new Map(left.flatMap(({ sisId, id }) => (sisId === null ? [] : [[sisId, id]])));
  let next = 0;
  for (const [sisId, of] of made.sections)
    if (of === course.sisId && !sections.has(sisId)) sections.set(sisId, --next);
  return {
    course,
    term: course.term,
    holding: {
      ...holding,
      enrolments: holding.enrolments
        .filter(({ sectionId, user }) => !ids.has(sectionId) && made.has('user', user) !== false)
        .map((one) => ({ ...one, user: idOf.get(one.userId) ?? one.user })),
    },
    sections,
    people: seen,
    exists(user) {
      const here = made.has('user', user);
      if (here !== undefined) return here;
      if (shown.has(user)) return true;
      const asked = byId(user);
      return asked === 'unread' ? null : asked !== 'missing';
    },
  };
}
