/**
 * The LMS call registry: every call that the console can make through the back end, by type, path, query and payload.
 * Nothing else reaches the LMS (OP-02). The server adds one access policy per entry.
 */
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { isEmail } from '@lms-admin/domain/emails';
import { isLine } from '@lms-admin/domain/groups';
import { z } from 'zod';
import { zoomEvent } from './calendar-events.ts';
import * as canvas from './canvas-objects.ts';
import { sisImport, submitPayload } from './imports.ts';
import { noSpreadsheetValue } from './spreadsheet.ts';

export const LMS_TYPES = ['GET', 'POST', 'PUT', 'DELETE', 'POST_SIS'] as const;
export type LmsType = (typeof LMS_TYPES)[number];

export type LmsCallId =
  | 'programmes'
  | 'sub-accounts'
  | 'terms'
  | 'courses'
  | 'roles'
  | 'user-by-email'
  | 'user-by-sis-id'
  | 'user-search'
  | 'sis-import-create'
  | 'sis-import-status'
  | 'sections'
  | 'section-sis-id'
  | 'course'
  | 'course-details'
  | 'group-categories'
  | 'group-category-create'
  | 'group-category-sis-id'
  | 'category-groups'
  | 'calendar-events'
  | 'sign-out';

export interface LmsCall {
  readonly id: LmsCallId;
  readonly type: LmsType;
  /** Relative path; `:name` represents one segment that `params[name]` must match. */
  readonly path: string;
  readonly params: Readonly<Record<string, RegExp>>;
  /** Allowed query names and their values; a name ending in `[]` can repeat. Other names are rejected. */
  readonly query: Readonly<Record<string, z.ZodType<unknown, string>>>;
  /** Query names that the call needs. Without them it would be a different call, so it is rejected. */
  readonly needs?: readonly string[];
  readonly payload: z.ZodType | null;
  /** The answer for the browser, reduced to the fields that it reads. */
  readonly answer: z.ZodType;
  /** Whether the answer is a list that continues through `pagination.nextPage`. */
  readonly paged: boolean;
}

const NUMBER = /^[1-9]\d{0,15}$/;
const page = z.string().regex(/^([1-9]\d{0,5}|bookmark:[\w+/=-]{1,400})$/);
const perPage = z.enum(['100']);
const list = { per_page: perPage, page };
const sectionSisId = z.strictObject({
  course_section: z.strictObject({ sis_section_id: z.string().min(1).max(255) }),
  enable_sis_reactivation: z.literal(true).optional(),
});

/** The SIS ID is derived from the course's and the name (GRP-13); the server rejects any other. */
const groupCategoryToMake = z.strictObject({
  name: noSpreadsheetValue(
    z.string().trim().min(1).max(250).refine(isLine, 'a single line without invisible control characters'),
  ),
  sis_group_category_id: z.string().min(1).max(255),
});

const CALLS = [
  {
    id: 'programmes',
    type: 'GET',
    path: 'accounts/1/sub_accounts',
    params: {},
    query: list,
    payload: null,
    answer: z.array(canvas.account),
    paged: true,
  },
  {
    id: 'sub-accounts',
    type: 'GET',
    path: 'accounts/:account/sub_accounts',
    params: { account: NUMBER },
    query: { ...list, recursive: z.enum(['true']) },
    payload: null,
    answer: z.array(canvas.account),
    paged: true,
  },
  {
    id: 'terms',
    type: 'GET',
    path: 'accounts/1/terms',
    params: {},
    query: list,
    payload: null,
    answer: z.object({ enrollment_terms: z.array(canvas.term) }),
    paged: true,
  },
  {
    id: 'courses',
    type: 'GET',
    path: 'accounts/:account/courses',
    params: { account: NUMBER },
    query: { ...list, 'include[]': z.enum(['term']) },
    payload: null,
    answer: z.array(canvas.course),
    paged: true,
  },
  {
    id: 'roles',
    type: 'GET',
    path: 'accounts/1/roles',
    params: {},
    query: list,
    payload: null,
    answer: z.array(canvas.role),
    paged: true,
  },
  {
    id: 'user-by-email',
    type: 'GET',
    path: 'accounts/1/users',
    params: {},
    query: { ...list, search_term: z.string().refine(isEmail, 'an email address') },
    needs: ['search_term'],
    payload: null,
    answer: z.array(canvas.user),
    paged: true,
  },
  {
    id: 'user-by-sis-id',
    type: 'GET',
    path: 'users/:person',
    // `sis_user_id:` and the characters that OP-50 allows.
    params: { person: /^sis_user_id:[\w.@-]{1,100}$/ },
    query: {},
    payload: null,
    answer: canvas.user,
    paged: false,
  },
  {
    id: 'user-search',
    type: 'GET',
    path: 'accounts/1/users',
    params: {},
    query: {
      ...list,
      // Any text: a person's name can look like a value that a spreadsheet has converted.
      search_term: z
        .string()
        .regex(/^\P{Cc}{1,200}$/u)
        .trim()
        .min(MIN_SEARCH_LENGTH),
      sort: z.enum(['username']),
    },
    needs: ['search_term'],
    payload: null,
    answer: z.array(canvas.foundUser),
    paged: true,
  },
  {
    id: 'sis-import-create',
    type: 'POST_SIS',
    path: 'accounts/1/sis_imports',
    params: {},
    query: { override_sis_stickiness: z.enum(['true']) },
    payload: submitPayload,
    answer: sisImport,
    paged: false,
  },
  {
    id: 'sis-import-status',
    type: 'GET',
    path: 'accounts/1/sis_imports/:import',
    // Ours (a UUID) or, for administrators with perm ALL, any number of the LMS.
    params: { import: /^([1-9]\d{0,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/ },
    query: {},
    payload: null,
    answer: sisImport,
    paged: false,
  },
  {
    id: 'sections',
    type: 'GET',
    path: 'courses/:course/sections',
    params: { course: NUMBER },
    query: { ...list, 'include[]': z.enum(['total_students']) },
    payload: null,
    answer: z.array(canvas.section),
    paged: true,
  },
  {
    id: 'section-sis-id',
    type: 'PUT',
    path: 'sections/:section',
    params: { section: NUMBER },
    query: {},
    payload: sectionSisId,
    answer: canvas.section,
    paged: false,
  },
  {
    id: 'course',
    type: 'GET',
    path: 'courses/:course',
    params: { course: NUMBER },
    query: {},
    payload: null,
    answer: canvas.course,
    paged: false,
  },
  {
    // LMS-19. The sections that it names depend on the caller (OP-82), so they are not read.
    id: 'course-details',
    type: 'GET',
    path: 'courses/:course',
    params: { course: NUMBER },
    query: { 'include[]': z.enum(['total_students', 'sections']) },
    needs: ['include[]'],
    payload: null,
    answer: canvas.courseDetails,
    paged: false,
  },
  {
    id: 'group-categories',
    type: 'GET',
    path: 'courses/:course/group_categories',
    params: { course: NUMBER },
    query: list,
    payload: null,
    answer: z.array(canvas.groupCategory),
    paged: true,
  },
  {
    id: 'group-category-create',
    type: 'POST',
    path: 'courses/:course/group_categories',
    params: { course: NUMBER },
    query: {},
    payload: groupCategoryToMake,
    answer: canvas.groupCategory,
    paged: false,
  },
  {
    id: 'group-category-sis-id',
    type: 'PUT',
    path: 'group_categories/:category',
    params: { category: NUMBER },
    query: {},
    payload: groupCategoryToMake.pick({ sis_group_category_id: true }),
    answer: canvas.groupCategory,
    paged: false,
  },
  {
    id: 'category-groups',
    type: 'GET',
    path: 'group_categories/:category/groups',
    params: { category: NUMBER },
    query: list,
    payload: null,
    answer: z.array(canvas.group),
    paged: true,
  },
  {
    // ZC-39. The back end adds its own data about each event to the LMS's answer (OP-64).
    id: 'calendar-events',
    type: 'GET',
    path: 'calendar_events',
    params: {},
    query: {
      ...list,
      type: z.enum(['event']),
      'context_codes[]': z.string().regex(/^course_[1-9]\d{0,15}$/),
      start_date: z.iso.date(),
      end_date: z.iso.date(),
    },
    needs: ['context_codes[]', 'start_date', 'end_date'],
    payload: null,
    answer: z.array(zoomEvent),
    paged: true,
  },
  {
    id: 'sign-out',
    type: 'DELETE',
    path: 'login/oauth2/token',
    params: {},
    query: {},
    payload: null,
    answer: z.object({}),
    paged: false,
  },
] as const satisfies readonly LmsCall[];

export const LMS_CALLS: readonly LmsCall[] = CALLS;

/** The answer of a call, by its schema: `LmsAnswer<'courses'>` is a list of courses. */
export type LmsAnswer<I extends LmsCallId> = z.output<Extract<(typeof CALLS)[number], { id: I }>['answer']>;

const BY_ID = new Map<LmsCallId, LmsCall>(LMS_CALLS.map((call) => [call.id, call]));

/** The payload of a call after parsing, by its schema; null for a call without one. */
export type LmsPayload<I extends LmsCallId> = Extract<
  (typeof CALLS)[number],
  { id: I }
>['payload'] extends infer S
  ? S extends z.ZodType
    ? z.output<S>
    : null
  : never;

export function lmsCall(id: LmsCallId): LmsCall {
  const call = BY_ID.get(id);
  if (!call) throw new Error(`no LMS call ${id}`);
  return call;
}

/** Answer of every back-end call: the status, the data, and the address of the next page (OP-97). */
export interface Answer<T> {
  status: number;
  data: T;
  pagination: { nextPage: string | null };
}

/** Builds the `url` of a call for the invoke body: encoded parameters, query in the given order. */
export function lmsUrl(
  id: LmsCallId,
  params: Record<string, string | number> = {},
  query: [string, string][] = [],
): string {
  const path = lmsCall(id).path.replace(/:(\w+)/g, (_, name: string) =>
    // Both characters are valid in a segment, and SIS IDs contain them.
    encodeURIComponent(String(params[name] ?? ''))
      .replaceAll('%3A', ':')
      .replaceAll('%40', '@'),
  );
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return search ? `${path}?${search}` : path;
}
