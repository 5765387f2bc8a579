/** Rows of enrolments and the state of their course: the parts that decide a row's effect. */
import { shown } from '../sis-rows.ts';
import { begins, type SisEffect } from './effect.ts';

/** A row of an enrolments file, reduced to what decides its effect. */
export interface EnrolmentRow {
  row: number;
  /** Name of the row's file in a zip; null for a single file. */
  file?: string | null;
  /** SIS ID of the person. */
  user: string;
  /** Roles that the row can mean. */
  roles: readonly number[];
  /** SIS ID of the section; empty for the default section. */
  section: string;
  status: string;
  /** SIS ID of the student whom an observer follows; empty for none. */
  student: string;
  /** Dates of the row; empty ones clear existing dates. */
  start: string;
  end: string;
  /** Whether the person sees only their own section; empty keeps the current value. */
  limit?: string;
  /** Whether the row has data that is not compared: it can then change the enrolment. */
  more: boolean;
}

/** An enrolment in the LMS. */
export interface HeldEnrolment {
  id: number;
  /** SIS ID of the person. */
  user: string;
  userId: number;
  roleId: number;
  sectionId: number;
  /** Never `deleted`. */
  state: string;
  start: string | null;
  end: string | null;
  /** Number of the student whom an observer follows; null for all others. */
  observes: number | null;
  /** Whether the person sees only their own section. */
  limited?: boolean;
}

/** The LMS's data about a course, or about a section that a row names without its course. */
export interface HeldPlace {
  /** `course "C1"`, for sentences. */
  name: string;
  /** Enrolments of the whole course. */
  enrolments: readonly HeldEnrolment[];
  /** Numbers of the sections by SIS ID; new ones in the same upload have negative numbers. */
  sections: ReadonlyMap<string, number>;
  /** Sections that the same upload deletes: numbers by SIS ID. */
  goneSections?: ReadonlyMap<string, number>;
  /** Enrolments ended by rows of earlier tables. */
  ended?: readonly HeldEnrolment[];
  /** Number of the default section; null if the course shows none. */
  defaultSection: number | null;
  /** Without a visible default section: sections that may be it. If there are none, the LMS creates one. */
  maybeDefault: ReadonlySet<number>;
  /** Whether rows without a section may apply to one that was cross-listed to another course. */
  perhapsAway?: boolean;
  /** Whether the same upload restores the course: the LMS does not show the sections restored with it. */
  restored?: boolean;
  /** Whether the person with the SIS ID exists; null if unknown. */
  exists: (user: string) => boolean | null;
  /** The person's SIS ID in the enrolments: people with several logins have several. */
  called?: (user: string) => string;
  /** Whether the SIS ID belongs to a login that the same upload deletes: the LMS still accepts it. */
  hadLogin: (user: string) => boolean;
  /** Whether the SIS ID belongs to a deleted login of a person who has another one. */
  byDeletedLogin: (user: string) => boolean;
  /** Whether an unused SIS ID may belong to a deleted login with an unknown owner. */
  mayBeFormer?: (user: string) => boolean;
  /** Observers who follow a student from course to course; null if unknown. */
  observersOf: (student: number) => ReadonlySet<number> | null;
  /** Number of the person with the SIS ID; null for a person in the same upload, or if unknown. */
  userIdOf?: (user: string) => number | null;
  /** Whether a role is a student's, whom observers follow; null if unknown. */
  isStudent?: (role: number) => boolean | null;
}

export type SectionAt = 'here' | 'elsewhere' | 'missing' | 'unread';

/** A deleted course: by the same upload, or already in the LMS. */
export interface GonePlace {
  gone: 'course' | 'course in the LMS';
  /** SIS ID of the course, if rows name it. */
  course?: string;
  /** Whether the course's default section may be in another course: rows without a section then apply there. */
  elsewhere: boolean;
  /** Place of the row's section. `missing`: the LMS does not show it. */
  sectionAt?: (sisId: string) => SectionAt;
  exists: HeldPlace['exists'];
  hadLogin: HeldPlace['hadLogin'];
  mayBeFormer?: HeldPlace['mayBeFormer'];
  byDeletedLogin?: HeldPlace['byDeletedLogin'];
  /** Whether the upload cross-lists the section to another course if it is a deleted one. */
  mayHaveMoved?: (sisId: string) => boolean;
}

export interface EnrolmentEffect extends SisEffect {
  /** People without an enrolment in the course after this row: their group memberships in it end. */
  leaves?: readonly number[];
  /** Whether the row only ends these memberships, if there are any. */
  onlyGroups?: boolean;
  /** Number of enrolments of observers that end with the enrolment of the student. */
  observers?: number;
  /** Linked observers who leave with the student if the LMS applies a row that could not be compared. */
  perhapsLeaves?: readonly number[];
  /** Linked observers who are not in the course, and get the student's state if they were removed from it. */
  mayReturn?: number;
  /** Numbers of linked observers who are enrolled, or enrolled again, with the student. */
  joining?: readonly number[];
  /** Whether an earlier row is the same, so that they count as one. */
  repeats?: boolean;
}

/** Returns whether a row may end an enrolment that is not known. */
export function mayRemove({ status }: Pick<EnrolmentRow, 'status'>): boolean {
  return ['deleted', 'completed', 'inactive'].some((word) => begins(status, word));
}

/**
 * Evaluates a row with an unused SIS ID. The LMS accepts removals by a deleted login: those count if its owner is
 * unknown.
 */
export function byNobody(row: EnrolmentRow, mayBeFormer: boolean): EnrolmentEffect {
  const nobody = `No person in the LMS has the SIS ID ${shown(row.user)}.`;
  return mayBeFormer && mayRemove(row)
    ? {
        does: 'unknown',
        why: `${nobody} If a deleted login has this ID, the owner of that login loses the enrolment, so the row counts as a removal.`,
      }
    : { does: 'fails', why: nobody };
}

/** Returns why no one can observe the student whom a row names; null if someone can, or if it names none. */
export function noStudent(
  student: string,
  { exists, hadLogin }: Pick<HeldPlace, 'exists' | 'hadLogin'>,
): string | null {
  if (student === '' || exists(student) !== false || hadLogin(student)) return null;
  return `The student to observe was not found: no person in the LMS has the SIS ID ${shown(student)}. If this SIS ID belongs to a deleted login, the row applies to the owner of that login.`;
}
