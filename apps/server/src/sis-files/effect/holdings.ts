/** What the LMS holds in the courses and sections that a file names: read once each, within bounds. */

import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { sectionTargets } from '@lms-admin/domain/enrollment-plan';
import type { HeldEnrolment } from '@lms-admin/domain/sis-effects';
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import { CanvasError } from '../../canvas/types.ts';
import { readSections } from '../../enrollments/read-lms.ts';
import type { CheckServices } from '../policies/policy.ts';

/** Pages of enrolments that one upload reads, and of one place: together some 100,000 enrolments. */
const MOST_PAGES = 1_000;
const MOST_PAGES_OF_ONE = 100;
const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const enrolments = z.array(
  z.object({
    user_id: z.number().int(),
    course_section_id: z.number().int(),
    role_id: z.number().int(),
    enrollment_state: z.string(),
    sis_user_id: text,
    start_at: text,
    end_at: text,
  }),
);
const section = z.object({
  id: z.number().int().positive(),
  course_id: z.number().int().positive(),
  /** The course that it was cross-listed from. */
  nonxlist_course_id: z.number().int().nullish(),
});

export interface FoundEnrolment extends HeldEnrolment {
  userId: number;
}

/** A course or section as it is now. */
export interface Holding {
  course: { id: number; sisId: string; name: string };
  /** Of a section: the course that it was cross-listed from. */
  home: number | null;
  enrolments: FoundEnrolment[];
  sections: Map<string, number>;
  defaultSection: number | null;
}

/** `missing`: the LMS says that there is no such place; `unread`: nobody knows. */
export type Held = Holding | 'missing' | 'unread';

/** A course or section that is to be deleted. */
export interface Going {
  by: 'course' | 'section';
  id: string;
  held: Held;
}

/** Reads places for one upload. */
export class Holdings {
  readonly #services: CheckServices;
  readonly #admin: Admin;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<Held>>();
  #pages = 0;

  constructor(services: CheckServices, admin: Admin, signal: AbortSignal) {
    this.#services = services;
    this.#admin = admin;
    this.#signal = signal;
  }

  /** @throws CanvasError when the admin's token is refused */
  of(by: 'course' | 'section', sisId: string): Promise<Held> {
    const key = `${by} ${sisId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const reading = this.#read(() => (by === 'course' ? this.#course(sisId) : this.#section(sisId)));
    this.#known.set(key, reading);
    return reading;
  }

  async #read(read: () => Promise<Held>): Promise<Held> {
    if (this.#pages >= MOST_PAGES) return 'unread';
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CanvasError) || error.ofToken) throw error;
      return error.kind === 'not-found' ? 'missing' : 'unread';
    }
  }

  async #course(sisId: string): Promise<Held> {
    const course = await this.#services.scope.courseBySisId(this.#admin, sisId, this.#signal);
    if (!course) return 'missing';
    const enrolments = await this.#enrolments(`courses/${course.id}`);
    if (!enrolments) return 'unread';
    const asking = { admin: this.#admin, signal: this.#signal };
    const sections = await readSections(this.#services.canvas, course.id, asking);
    const targets = sectionTargets({ name: course.name, sisCourseId: sisId, sections });
    const fallback = [...targets.values()].find((one) => one.sisSectionId === '');
    return {
      course: { id: course.id, sisId, name: course.name },
      home: null,
      enrolments,
      sections: new Map(
        sections.flatMap((one) => (one.sisSectionId === null ? [] : [[one.sisSectionId, one.id]])),
      ),
      defaultSection: fallback?.sectionId ?? null,
    };
  }

  async #section(sisId: string): Promise<Held> {
    const id = encodeURIComponent(`sis_section_id:${sisId}`).replaceAll('.', '%2E');
    const { data } = await this.#services.canvas.call({
      token: this.#admin.token,
      method: 'GET',
      path: `sections/${id}`,
      answer: section,
      signal: this.#signal,
    });
    const course = await this.#services.scope.course(this.#admin, data.course_id, this.#signal);
    const enrolments = await this.#enrolments(`sections/${data.id}`);
    if (!enrolments) return 'unread';
    return {
      course: { id: data.course_id, sisId: course?.sis_course_id ?? '', name: course?.name ?? '' },
      home: data.nonxlist_course_id ?? null,
      enrolments,
      sections: new Map([[sisId, data.id]]),
      defaultSection: null,
    };
  }

  /** @returns null when there are too many */
  async #enrolments(place: string): Promise<FoundEnrolment[] | null> {
    const found: FoundEnrolment[] = [];
    let pages = 0;
    for await (const { data } of this.#services.canvas.pages({
      token: this.#admin.token,
      method: 'GET',
      path: `${place}/enrollments`,
      query: [...STATES.map((state) => ['state[]', state] as const), ['per_page', String(LMS_PAGE_SIZE)]],
      answer: enrolments,
      signal: this.#signal,
    })) {
      for (const one of data) {
        found.push({
          user: one.sis_user_id ?? '',
          userId: one.user_id,
          roleId: one.role_id,
          sectionId: one.course_section_id,
          state: one.enrollment_state,
          dated: one.start_at !== null || one.end_at !== null,
        });
      }
      if (++pages > MOST_PAGES_OF_ONE || ++this.#pages > MOST_PAGES) return null;
    }
    return found;
  }
}
