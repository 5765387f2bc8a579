/** What plans read of courses and sections in the LMS. */
import { type Enrollment, enrollment, type Section, section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { emailKey } from '@lms-admin/domain/emails';
import type { ExistingEnrollment, KnownSection } from '@lms-admin/domain/enrollment-plan';
import type { CourseEnrollment } from '@lms-admin/domain/removal-effects';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';

export interface Reading {
  admin: Admin;
  signal: AbortSignal;
  /** Notes with which SIS IDs people are shown. */
  shown?: ShownIds;
}

const enrollments = z.array(enrollment);
/** A section with the course that it was cross-listed from, which the console has no use for. */
const sections = z.array(section.extend({ nonxlist_course_id: z.number().int().nullish() }));
const perPage = ['per_page', String(LMS_PAGE_SIZE)] as const;

/**
 * All but deleted: removing has to reach each of them, and adding has to know who is there without being active, since they
 * become active again.
 */
const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

/**
 * The enrolments of some people with a role, whatever their state.
 * @param place `courses/7` or `sections/9`
 * @param wanted with `sisIdOf` from Canvas user id to SIS id of the people: an enrolment may show another of a person's SIS ids, or
 *   none; `sisIds` of people whose user id is not known; `alsoDeleted` where it matters when and by whom one was deleted
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
  { admin, signal, shown }: Reading,
): Promise<ExistingEnrollment[]> {
  const sisIds = new Set([...wanted.sisIdOf.values(), ...(wanted.sisIds ?? [])]);
  const existing: ExistingEnrollment[] = [];
  for await (const { data } of canvas.pages({
    token: admin.token,
    method: 'GET',
    path: `${place}/enrollments`,
    query: [
      ['role_id', String(wanted.roleId)],
      ...(wanted.alsoDeleted ? [...STATES, 'deleted'] : STATES).map((state) => ['state[]', state] as const),
      perPage,
    ],
    answer: enrollments,
    signal,
  })) {
    for (const one of data) {
      shown?.add(one);
      const userSisId = wanted.sisIdOf.get(one.user_id) ?? one.sis_user_id;
      if (userSisId !== null && sisIds.has(userSisId)) existing.push(existingOf(one, userSisId));
    }
  }
  return existing;
}

function existingOf(one: Enrollment, userSisId: string): ExistingEnrollment {
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

/** With which SIS IDs the LMS shows people, wherever their enrolments are read: of each person one, though they may have others. */
export class ShownIds {
  readonly #owners = new Map<string, number>();
  readonly #people = new Set<number>();
  readonly #logins = new Map<number, string>();

  add({ user_id, sis_user_id, user }: Pick<Enrollment, 'user_id' | 'sis_user_id' | 'user'>): void {
    if (user?.login_id) this.#logins.set(user_id, user.login_id);
    if (sis_user_id === null) return;
    this.#owners.set(sis_user_id, user_id);
    this.#people.add(user_id);
  }

  /** Number of the person who is shown with it; null where nobody is, which says nothing. */
  ownerOf(sisId: string): number | null {
    return this.#owners.get(sisId) ?? null;
  }

  /** The login that a person is shown with; null where none is. */
  loginOf(id: number): string | null {
    return this.#logins.get(id) ?? null;
  }

  /** Whether a person is shown with another SIS ID or address, or another person with their SIS ID. */
  differs({ id, sisUserId, email }: { id: number; sisUserId: string; email?: string }): boolean {
    const login = this.loginOf(id);
    if (email !== undefined && login !== null && emailKey(login) !== emailKey(email)) return true;
    const owner = this.ownerOf(sisUserId);
    return owner === null ? this.#people.has(id) : owner !== id;
  }
}

const wholeEnrollments = z.array(
  enrollment.extend({
    type: z.string(),
    user: z
      .object({
        name: z.string(),
        login_id: z.string().nullish(),
        group_ids: z.array(z.number().int()).nullish(),
      })
      .nullish(),
  }),
);

/** All enrolments of a course that are not deleted, with the groups of their people. @throws CanvasError */
export async function readCourse(
  canvas: CanvasClient,
  courseId: number,
  { admin, signal, shown }: Reading,
): Promise<{ all: CourseEnrollment[]; of: (sisIdOf: ReadonlyMap<number, string>) => ExistingEnrollment[] }> {
  const found = await canvas.list({
    token: admin.token,
    method: 'GET',
    path: `courses/${courseId}/enrollments`,
    query: [...STATES.map((state) => ['state[]', state] as const), ['include[]', 'group_ids'], perPage],
    answer: wholeEnrollments,
    signal,
  });
  for (const one of found) shown?.add(one);
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

/** The observers who follow a student from course to course. @throws CanvasError */
export async function readObservers(
  canvas: CanvasClient,
  student: number,
  { admin, signal }: Reading,
): Promise<{ id: number; name: string }[]> {
  return canvas.list({
    token: admin.token,
    method: 'GET',
    path: `users/${student}/observers`,
    query: [perPage],
    answer: z.array(z.object({ id: z.number().int(), name: z.string() })),
    signal,
  });
}

/** In which sections somebody observes which student, and the state of that, deleted or not. @throws CanvasError */
export async function readObserving(
  canvas: CanvasClient,
  observer: number,
  { admin, signal }: Reading,
): Promise<{ student: number; section: number; state: string }[]> {
  const found = await canvas.list({
    token: admin.token,
    method: 'GET',
    path: `users/${observer}/enrollments`,
    query: [
      ['type[]', 'ObserverEnrollment'],
      ...[...STATES, 'deleted'].map((state) => ['state[]', state] as const),
      perPage,
    ],
    answer: enrollments,
    signal,
  });
  return found.flatMap(
    ({ associated_user_id: student, course_section_id: section, enrollment_state: state }) =>
      student == null ? [] : [{ student, section, state }],
  );
}

/** The sections of a course. */
export async function readSections(
  canvas: CanvasClient,
  courseId: number,
  { admin, signal }: Reading,
): Promise<KnownSection[]> {
  const found = await canvas.list({
    token: admin.token,
    method: 'GET',
    path: `courses/${courseId}/sections`,
    query: [perPage],
    answer: sections,
    signal,
  });
  return found.map((one) => ({
    id: one.id,
    name: one.name,
    sisSectionId: one.sis_section_id,
    crossListed: (one.nonxlist_course_id ?? null) !== null,
  }));
}

/** Number of the section with a SIS ID; null when its course does not have it. @throws CanvasError when the LMS cannot be asked */
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

/** The section with a SIS ID, wherever it is; null when the LMS shows none. @throws CanvasError when the LMS cannot be asked */
export async function sectionBySisId(
  canvas: CanvasClient,
  sisSectionId: string,
  { admin, signal }: Reading,
): Promise<Section | null> {
  try {
    const { data } = await canvas.call({
      token: admin.token,
      method: 'GET',
      path: `sections/${sisSegment('section', sisSectionId)}`,
      answer: section,
      signal,
    });
    return data;
  } catch (error) {
    if (error instanceof CanvasError && error.kind === 'not-found') return null;
    throw error;
  }
}

/**
 * What was read, or why it could not be, for people.
 * @param what for instance `enrolments`, `this course`
 * @throws the signal's reason, or CanvasError when a token is refused: then nothing else could be read either
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
    const unanswered = !['refused', 'not-found', 'rejected'].includes(error.kind);
    return { unread: whyUnread(error, what), unanswered };
  }
}

/** Why something could not be read, for people, and whether that is only since the LMS did not answer. */
export interface Unread {
  unread: string;
  unanswered: boolean;
}

function whyUnread(error: CanvasError, { read, of }: { read: string; of: string }): string {
  switch (error.kind) {
    case 'refused':
      return `The LMS does not permit reading the ${read} of ${of}.`;
    case 'not-found':
      return `The LMS no longer has ${of}.`;
    case 'throttled':
      return 'The LMS was asked too much at that moment.';
    default:
      return `The LMS did not answer when the ${read} of ${of} were read.`;
  }
}
