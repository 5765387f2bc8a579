/** Reads the courses and sections of the LMS for plans. */
import { emailKey } from '@lms-admin/domain/emails';
import type { ExistingEnrollment, KnownSection } from '@lms-admin/domain/enrollment-plan';
import type { CourseEnrollment } from '@lms-admin/domain/removal-effects';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { enrollmentPages, enrollmentsOf, type LmsEnrollment } from '../canvas/resources/enrollments.ts';
import { isDefinite, listed, type Reader } from '../canvas/resources/reading.ts';
import {
  knownSection,
  type LmsSection,
  sectionBySisId as readSection,
  sectionsOf,
} from '../canvas/resources/sections.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';

export interface Reading {
  admin: Admin;
  signal: AbortSignal;
  /** Records the SIS IDs with which people are shown. */
  shown?: ShownIds;
}

/** Reads with the admin's token. */
const readerOf = (canvas: CanvasClient, { admin, signal }: Reading): Reader => ({
  canvas,
  token: admin.token,
  signal,
});

/**
 * Returns the enrolments of some people with a role, in any state.
 * @param place `courses/7` or `sections/9`
 * @param wanted `sisIdOf` maps user ids to the people's SIS IDs, since an enrolment may show another or none; `sisIds`
 * are for people without a known user id; `alsoDeleted` includes deleted enrolments
 */
export async function readEnrollments(
  canvas: CanvasClient,
  place: string,
  wanted: {
    roleId: number;
    sisIdOf: ReadonlyMap<number, string>;
    sisIds?: Iterable<string>;
    alsoDeleted?: boolean;
  },
  reading: Reading,
): Promise<ExistingEnrollment[]> {
  const sisIds = new Set([...wanted.sisIdOf.values(), ...(wanted.sisIds ?? [])]);
  const existing: ExistingEnrollment[] = [];
  // Inactive enrolments become active again, and a removal must include them too.
  const filter = { roleId: wanted.roleId, deleted: wanted.alsoDeleted ?? false };
  for await (const { data } of enrollmentPages(readerOf(canvas, reading), place, filter)) {
    for (const one of data) {
      reading.shown?.add(one);
      const userSisId = wanted.sisIdOf.get(one.user_id) ?? one.sis_user_id;
      if (userSisId !== null && sisIds.has(userSisId)) existing.push(existingOf(one, userSisId));
    }
  }
  return existing;
}

function existingOf(one: LmsEnrollment, userSisId: string): ExistingEnrollment {
  return {
    userSisId,
    roleId: one.role_id,
    state: one.enrollment_state,
    sectionId: one.course_section_id,
    sisSectionId: one.sis_section_id,
    ...(one.associated_user_id == null ? {} : { linked: true }),
    ...(one.start_at || one.end_at ? { dates: [one.start_at ?? null, one.end_at ?? null] as const } : {}),
    ...(one.sis_import_id == null ? {} : { writtenBy: one.sis_import_id }),
    ...(one.updated_at ? { changedAt: Date.parse(one.updated_at) } : {}),
  };
}

/** SIS IDs shown in the enrolments that were read. The LMS shows one per person, who may also have others. */
export class ShownIds {
  readonly #owners = new Map<string, number>();
  readonly #people = new Set<number>();
  readonly #logins = new Map<number, string>();

  add({ user_id, sis_user_id, user }: Pick<LmsEnrollment, 'user_id' | 'sis_user_id' | 'user'>): void {
    if (user?.login_id) this.#logins.set(user_id, user.login_id);
    if (sis_user_id === null) return;
    this.#owners.set(sis_user_id, user_id);
    this.#people.add(user_id);
  }

  /** Returns the number of the person shown with this SIS ID; null if it is not shown, which proves nothing. */
  ownerOf(sisId: string): number | null {
    return this.#owners.get(sisId) ?? null;
  }

  /** Returns the login shown for a person, or null. */
  loginOf(id: number): string | null {
    return this.#logins.get(id) ?? null;
  }

  /** Returns whether a person is shown with another SIS ID or address, or their SIS ID with another person. */
  differs({ id, sisUserId, email }: { id: number; sisUserId: string; email?: string }): boolean {
    const login = this.loginOf(id);
    if (email !== undefined && login !== null && emailKey(login) !== emailKey(email)) return true;
    const owner = this.ownerOf(sisUserId);
    return owner === null ? this.#people.has(id) : owner !== id;
  }
}

/** Returns all enrolments of a course that are not deleted, with the groups of their people. @throws CanvasError */
export async function readCourse(
  canvas: CanvasClient,
  courseId: number,
  reading: Reading,
): Promise<{ all: CourseEnrollment[]; of: (sisIdOf: ReadonlyMap<number, string>) => ExistingEnrollment[] }> {
  const found = await enrollmentsOf(readerOf(canvas, reading), `courses/${courseId}`, { groups: true });
  for (const one of found) reading.shown?.add(one);
  return {
    all: found.map((one) => ({
      userId: one.user_id,
      name: one.user?.name ?? '',
      type: one.type,
      roleId: one.role_id,
      sectionId: one.course_section_id,
      state: one.enrollment_state,
      observes: one.associated_user_id ?? null,
      groups: one.user?.group_ids ?? [],
    })),
    of: (sisIdOf) =>
      found.flatMap((one) => {
        const userSisId = sisIdOf.get(one.user_id);
        return userSisId === undefined ? [] : [existingOf(one, userSisId)];
      }),
  };
}

const observerOf = z.object({ id: z.number().int(), name: z.string() });

/** Returns the observers linked to a student in all courses. @throws CanvasError */
export async function readObservers(
  canvas: CanvasClient,
  student: number,
  reading: Reading,
): Promise<{ id: number; name: string }[]> {
  return listed(readerOf(canvas, reading), `users/${student}/observers`, observerOf);
}

/** Returns the sections in which a person observes students, in all states, even deleted. @throws CanvasError */
export async function readObserving(
  canvas: CanvasClient,
  observer: number,
  reading: Reading,
): Promise<{ student: number; section: number; state: string }[]> {
  const filter = { type: 'ObserverEnrollment', deleted: true };
  const found = await enrollmentsOf(readerOf(canvas, reading), `users/${observer}`, filter);
  return found.flatMap(
    ({ associated_user_id: student, course_section_id: section, enrollment_state: state }) =>
      student == null ? [] : [{ student, section, state }],
  );
}

/** Returns the sections of a course. @throws CanvasError */
export async function readSections(
  canvas: CanvasClient,
  courseId: number,
  reading: Reading,
): Promise<KnownSection[]> {
  return (await sectionsOf(readerOf(canvas, reading), courseId)).map(knownSection);
}

/** Returns the number of a course's section with an SIS ID, or null. @throws CanvasError if the LMS does not answer */
export async function sectionWithSisId(
  canvas: CanvasClient,
  sisSectionId: string,
  courseId: number,
  reading: Reading,
): Promise<number | null> {
  if (sisSectionId === '') return null;
  const found = await sectionBySisId(canvas, sisSectionId, reading);
  return found?.course_id === courseId ? found.id : null;
}

/** Returns the section with an SIS ID in any course, or null. @throws CanvasError if the LMS does not answer */
export async function sectionBySisId(
  canvas: CanvasClient,
  sisSectionId: string,
  reading: Reading,
): Promise<LmsSection | null> {
  try {
    return await readSection(readerOf(canvas, reading), sisSectionId);
  } catch (error) {
    if (error instanceof CanvasError && error.kind === 'not-found') return null;
    throw error;
  }
}

/**
 * Returns the result of a read, or a user-facing reason why it failed.
 * @param what for instance `enrolments`, `this course`
 * @throws the signal's reason, or CanvasError if a token is refused, because all other reads would fail too
 */
export async function readOrWhy<T>(
  what: { read: string; of: string },
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | Unread> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    const unanswered = !isDefinite(error);
    return { unread: whyUnread(error, what), unanswered };
  }
}

/** User-facing reason why a read failed, and whether that was only because the LMS did not answer. */
export interface Unread {
  unread: string;
  unanswered: boolean;
}

function whyUnread(error: CanvasError, { read, of }: { read: string; of: string }): string {
  switch (error.kind) {
    case 'refused':
      return `The LMS does not allow LMS Admin to read the ${read} of ${of}.`;
    case 'not-found':
      return `The LMS no longer has ${of}.`;
    case 'throttled':
      return 'The LMS was busy.';
    default:
      return `The LMS did not answer when LMS Admin read the ${read} of ${of}.`;
  }
}
