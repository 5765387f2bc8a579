/** Campuses and course types of the award: which codes mean which, and what may be chosen together (BTA-06 to BTA-10). Pure. */

/** The campuses of the select, in its order (BTA-06). `FBLSG` is Fontainebleau and Singapore together (OP-87). */
export const AWARD_CAMPUSES = ['FBL', 'SGP', 'FBLSG', 'ABD'] as const;
export type AwardCampus = (typeof AWARD_CAMPUSES)[number];

/** The course types of the select, in its order (BTA-07). */
export const COURSE_TYPES = ['elective', 'core'] as const;
export type CourseType = (typeof COURSE_TYPES)[number];

/** The tabs: by campus and course, and by professor (BTA-05). */
export const AWARD_VIEWS = ['by-campus', 'by-prof'] as const;
export type AwardView = (typeof AWARD_VIEWS)[number];

/** What is chosen at first (BTA-08). */
export const FIRST_CAMPUS: AwardCampus = 'SGP';
export const FIRST_TYPE: CourseType = 'elective';

/** What the tab of professors is entered with (BTA-10): no campus of the select; a report of it is of every campus. */
export const EVERY_CAMPUS = 'Prof';

/** Codes of the documents that mean the same (BTA-24, OP-87). */
const CODES: ReadonlyMap<string, AwardCampus> = new Map([
  ['S', 'SGP'],
  ['SGP', 'SGP'],
  ['F', 'FBL'],
  ['FBL', 'FBL'],
  ['A', 'ABD'],
  ['ABD', 'ABD'],
  ['B', 'FBLSG'],
  ['FBLSG', 'FBLSG'],
]);

/** The campus that a code means, whatever its case; null for any other text. */
export function campusOf(code: string): AwardCampus | null {
  return CODES.get(code.trim().toUpperCase()) ?? null;
}

/** The course type that a text means, whatever its case; null for any other. */
export function courseTypeOf(text: string): CourseType | null {
  const plain = text.trim().toLowerCase();
  return COURSE_TYPES.find((type) => type === plain) ?? null;
}

/**
 * Whose courses a report is about; null for an unknown code. The report of both campuses together holds the courses of
 * each beside those that are given on both.
 */
export function campusesOf(code: string, view: AwardView): readonly AwardCampus[] | null {
  if (view === 'by-prof' && code === EVERY_CAMPUS) return AWARD_CAMPUSES;
  const campus = campusOf(code);
  if (campus === null) return null;
  return campus === 'FBLSG' ? ['FBL', 'SGP', 'FBLSG'] : [campus];
}

/** The course types that can be chosen for a campus; the others are shown, and disabled (BTA-09). */
export function typesFor(view: AwardView, code: string): readonly CourseType[] {
  const campus = campusOf(code);
  const onlyElective = campus === 'FBLSG' || (view === 'by-prof' && campus === 'FBL');
  return onlyElective ? ['elective'] : COURSE_TYPES;
}

/** The course type that stays chosen when campus or tab have changed (BTA-09). */
export function settledType(view: AwardView, code: string, wanted: CourseType): CourseType {
  return typesFor(view, code).includes(wanted) ? wanted : 'elective';
}

/** The campuses of the select: those that the server named, in the documented order; all when it named none (OP-91). */
export function offeredCampuses(returned: readonly string[]): readonly AwardCampus[] {
  const named = new Set(returned.map(campusOf));
  const offered = AWARD_CAMPUSES.filter((campus) => named.has(campus));
  return offered.length > 0 ? offered : AWARD_CAMPUSES;
}

/** What the select shows for a code: itself, what it represents, or the first choice where it represents none (BTA-10). */
export function selectedCampus(code: string, offered: readonly AwardCampus[]): AwardCampus {
  const campus = campusOf(code);
  if (campus !== null && offered.includes(campus)) return campus;
  return offered.includes(FIRST_CAMPUS) ? FIRST_CAMPUS : (offered[0] ?? FIRST_CAMPUS);
}
