/** Campuses and course types of the award: their codes, and which can be combined (BTA-06 to BTA-10). Pure. */

/** Campuses in the order of the selection (BTA-06). `FBLSG` is Fontainebleau and Singapore together (OP-87). */
export const AWARD_CAMPUSES = ['FBL', 'SGP', 'FBLSG', 'ABD'] as const;
export type AwardCampus = (typeof AWARD_CAMPUSES)[number];

/** Course types in the order of the selection (BTA-07). */
export const COURSE_TYPES = ['elective', 'core'] as const;
export type CourseType = (typeof COURSE_TYPES)[number];

/** The tabs: by campus and course, and by professor (BTA-05). */
export const AWARD_VIEWS = ['by-campus', 'by-prof'] as const;
export type AwardView = (typeof AWARD_VIEWS)[number];

/** The initial selection (BTA-08). */
export const FIRST_CAMPUS: AwardCampus = 'SGP';
export const FIRST_TYPE: CourseType = 'elective';

/** Code of the professors' tab (BTA-10): not a campus in the selection; its report covers every campus. */
export const EVERY_CAMPUS = 'Prof';

/** Codes in the specification, and the campus that each one means (BTA-24, OP-87). */
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

/** Returns the campus of a code, ignoring case; null for any other text. */
export function campusOf(code: string): AwardCampus | null {
  return CODES.get(code.trim().toUpperCase()) ?? null;
}

/** Returns the course type of a text, ignoring case; null for any other text. */
export function courseTypeOf(text: string): CourseType | null {
  const plain = text.trim().toLowerCase();
  return COURSE_TYPES.find((type) => type === plain) ?? null;
}

/**
 * Returns the campuses of a report; null for an unknown code. The report of both campuses contains the courses of
 * each, and those given on both.
 */
export function campusesOf(code: string, view: AwardView): readonly AwardCampus[] | null {
  if (view === 'by-prof' && code === EVERY_CAMPUS) return AWARD_CAMPUSES;
  const campus = campusOf(code);
  if (campus === null) return null;
  return campus === 'FBLSG' ? ['FBL', 'SGP', 'FBLSG'] : [campus];
}

/** Lists the course types that can be selected for a campus; the others are shown, but disabled (BTA-09). */
export function typesFor(view: AwardView, code: string): readonly CourseType[] {
  const campus = campusOf(code);
  const onlyElective = campus === 'FBLSG' || (view === 'by-prof' && campus === 'FBL');
  return onlyElective ? ['elective'] : COURSE_TYPES;
}

/** Returns the course type that stays selected after a change of campus or tab (BTA-09). */
export function settledType(view: AwardView, code: string, wanted: CourseType): CourseType {
  return typesFor(view, code).includes(wanted) ? wanted : 'elective';
}

/**
 * Returns the campuses to choose from: those that the server returned, in the documented order; all if it returned
 * none (OP-91).
 */
export function offeredCampuses(returned: readonly string[]): readonly AwardCampus[] {
  const named = new Set(returned.map(campusOf));
  const offered = AWARD_CAMPUSES.filter((campus) => named.has(campus));
  return offered.length > 0 ? offered : AWARD_CAMPUSES;
}

/** Returns the selected campus for a code: itself, the campus that it represents, or the first choice (BTA-10). */
export function selectedCampus(code: string, offered: readonly AwardCampus[]): AwardCampus {
  const campus = campusOf(code);
  if (campus !== null && offered.includes(campus)) return campus;
  return offered.includes(FIRST_CAMPUS) ? FIRST_CAMPUS : (offered[0] ?? FIRST_CAMPUS);
}
