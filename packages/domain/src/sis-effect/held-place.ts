/** Rows of enrolments, and the course that they are about, as far as their effect needs them. */
import { shown } from '../sis-rows.ts';
import { begins, type SisEffect } from './effect.ts';

/** A row of an enrolments file, reduced to what decides its effect. */
export interface EnrolmentRow {
  row: number;
  /** Name of its file in a zip; null for a single file. */
  file?: string | null;
  /** SIS ID of the person. */
  user: string;
  /** Roles that the row may mean. */
  roles: readonly number[];
  /** SIS ID of the section; empty for the default section. */
  section: string;
  status: string;
  /** SIS ID of the student whom an observer looks at; empty for none. */
  student: string;
  /** Dates of the row; empty ones clear those that are there. */
  start: string;
  end: string;
  /** Whether the person sees their own section only; empty keeps what is there. */
  limit?: string;
  /** Whether the row says more than is compared: then it may change what is there. */
  more: boolean;
}

/** An enrolment that the LMS holds. */
export interface HeldEnrolment {
  /** Number of the enrolment. */
  id: number;
  /** SIS ID of the person. */
  user: string;
  /** Number of the person. */
  userId: number;
  roleId: number;
  sectionId: number;
  /** Never `deleted`. */
  state: string;
  start: string | null;
  end: string | null;
  /** Number of the student whom an observer looks at; null for all others. */
  observes: number | null;
  /** Whether the person sees their own section only. */
  limited?: boolean;
}

/** What the LMS holds in a course, or in a section that a row names alone. */
export interface HeldPlace {
  /** `course "C1"`, for sentences. */
  name: string;
  /** Of the whole course. */
  enrolments: readonly HeldEnrolment[];
  /** Numbers of the sections by SIS ID; new ones of the same upload have numbers below zero. */
  sections: ReadonlyMap<string, number>;
  /** Sections that the same upload deletes: numbers by SIS ID. */
  goneSections?: ReadonlyMap<string, number>;
  /** Enrolments that rows of tables before have ended. */
  ended?: readonly HeldEnrolment[];
  /** Number of the default section; null where the course shows none. */
  defaultSection: number | null;
  /** Without a default section that shows: sections that it may be. Where there are none the LMS creates one. */
  maybeDefault: ReadonlySet<number>;
  /** Whether rows without a section may land in one that was cross-listed to another course. */
  perhapsAway?: boolean;
  /** Whether the same upload restores the course: the LMS does not show the sections that come back with it. */
  restored?: boolean;
  /** Whether the person with the SIS ID exists; null where that is not known. */
  exists: (user: string) => boolean | null;
  /** The SIS ID by which the enrolments name someone: people with several logins have several. */
  called?: (user: string) => string;
  /** Whether the SIS ID is that of a login that the same upload deletes: the LMS goes by it anyway. */
  hadLogin: (user: string) => boolean;
  /** Whether the SIS ID is that of a deleted login of someone who has another one. */
  byDeletedLogin: (user: string) => boolean;
  /** Whether an SIS ID that no one has may be that of a deleted login whose owner is not known. */
  mayBeFormer?: (user: string) => boolean;
  /** Observers who follow a student from course to course; null where that is not known. */
  observersOf: (student: number) => ReadonlySet<number> | null;
  /** Number of the person with the SIS ID; null for someone of the same upload, or where it is not known. */
  userIdOf?: (user: string) => number | null;
  /** Whether a role is one of students, whom their observers follow; null where that is not known. */
  isStudent?: (role: number) => boolean | null;
}

export type SectionAt = 'here' | 'elsewhere' | 'missing' | 'unread';

/** A course that is deleted: by the same upload, or in the LMS already. */
export interface GonePlace {
  gone: 'course' | 'course in the LMS';
  /** Whether its default section may be in another course: then rows without a section are carried out there. */
  elsewhere: boolean;
  /** Where a section is that a row names. `missing`: the LMS does not show it. */
  sectionAt?: (sisId: string) => SectionAt;
  exists: HeldPlace['exists'];
  hadLogin: HeldPlace['hadLogin'];
  mayBeFormer?: HeldPlace['mayBeFormer'];
}

export interface EnrolmentEffect extends SisEffect {
  /** People who have no place in the course any more after this row: their group memberships in it end. */
  leaves?: readonly number[];
  /** Whether it ends these memberships only, if there are any. */
  onlyGroups?: boolean;
  /** Enrolments of observers that end with it. */
  observers?: number;
  /** Linked observers who are not in the course, and get the student's state if they were taken out of it. */
  mayReturn?: number;
  /** Linked observers who are enrolled, or enrolled again, with it. */
  joins?: number;
  /** Whether an earlier row says the same, so that it counts with that one. */
  repeats?: boolean;
}

/** Whether a row ends an enrolment where it is not known what it meets. */
export function mayRemove({ status }: Pick<EnrolmentRow, 'status'>): boolean {
  return ['deleted', 'completed', 'inactive'].some((word) => begins(status, word));
}

/** A row by an SIS ID that no one has. The LMS takes rows that remove by deleted logins too: those count where the owner is not known. */
export function byNobody(row: EnrolmentRow, mayBeFormer: boolean): EnrolmentEffect {
  const nobody = `No person in the LMS has the SIS ID ${shown(row.user)}.`;
  return mayBeFormer && mayRemove(row)
    ? {
        does: 'unknown',
        why: `${nobody} If it is that of a deleted login, its owner loses the enrolment, so it counts.`,
      }
    : { does: 'fails', why: nobody };
}
