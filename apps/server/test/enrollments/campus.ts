/**
 * The practice LMS for enrolment tests: selects people and courses, and reads effects through the LMS API.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import {
  type Plan,
  type PlanRequest,
  plan,
  type SectionPlan,
  type SectionPlanRequest,
  sectionPlan,
  type UndoPlan,
  undoPlan,
} from '@lms-admin/contract/enrollments';
import { type ErrorBody, errorEnvelope } from '@lms-admin/contract/errors';
import {
  type GroupPlan,
  type GroupPlanRequest,
  groupPlan,
  type MemberPlan,
  type MemberPlanRequest,
  memberPlan,
} from '@lms-admin/contract/groups';
import { type SisImport, sisImport } from '@lms-admin/contract/imports';
import { type JobDetail, job, jobDetail } from '@lms-admin/contract/jobs';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { GROUP_PLAN, MEMBER_PLAN, UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import type { Sandbox } from '@lms-admin/sandbox/server';
import type { z } from 'zod';
import { jobEnded, startEffect } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { WAIT_MS } from '../support/wait.ts';

export interface Person {
  id: number;
  email: string;
  sis: string;
}

export interface EnrolmentJson {
  id: number;
  user_id: number;
  course_section_id: number;
  role_id: number;
  enrollment_state: string;
}

export const STATES = ['active', 'invited', 'inactive', 'completed', 'deleted'];

/** Helpers that read and change the sandbox for the tests. */
export class Campus {
  readonly sandbox: Sandbox;
  /** Request headers of a script with every permission. */
  token = 'sandbox-admin-token';
  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** Calls the LMS as a script with every permission. */
  async api(path: string, init: { method?: string; body?: unknown } = {}): Promise<Response> {
    return fetch(`${this.sandbox.url}/api/v1/${path}`, {
      method: init.method ?? 'GET',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  }

  /** Sends an import as another program would, and resolves when it is done. */
  async importOfOthers(csv: string): Promise<void> {
    const form = new FormData();
    form.set('attachment', new File([csv], 'others.csv', { type: 'text/csv' }));
    const headers = { authorization: `Bearer ${this.token}`, 'user-agent': 'records office' };
    const url = `${this.sandbox.url}/api/v1/accounts/1/sis_imports`;
    const answer = await fetch(url, { method: 'POST', headers, body: form });
    if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`);
    const { id } = (await answer.json()) as { id: number };
    for (let state = ''; !/^imported|^failed|^aborted/.test(state); await sleep(20))
      state = ((await (await fetch(`${url}/${id}`, { headers })).json()) as { workflow_state: string })
        .workflow_state;
  }

  /** Returns the published courses in an account that have an SIS ID, sorted by id. */
  courses(accountId = 86) {
    return [...this.sandbox.world.courses.values()].filter(
      (course) =>
        course.account_id === accountId &&
        course.workflow_state === 'available' &&
        course.sis_source_id !== null,
    );
  }

  /** Returns the n-th of these courses, counted from 0. */
  course(index = 0, accountId = 86): { id: number; sis: string; name: string } {
    const found = this.courses(accountId)[index];
    if (!found?.sis_source_id) throw new Error('no such course');
    return { id: found.id, sis: found.sis_source_id, name: found.name };
  }

  /**
   * Returns the n-th of these courses whose default section is visible, so that manual rows can leave the
   * section to the LMS.
   */
  courseForRows(index = 0, accountId = 86): { id: number; sis: string; name: string } {
    const sections = [...this.sandbox.world.sections.values()];
    const found = this.courses(accountId).filter((course) =>
      sections.some((one) => one.course_id === course.id && one.default_section && one.name === course.name),
    )[index];
    if (!found?.sis_source_id) throw new Error('no such course');
    return { id: found.id, sis: found.sis_source_id, name: found.name };
  }

  person(id: number): Person {
    const [login] = this.sandbox.world.loginsOf(id);
    return { id, email: login?.unique_id ?? '', sis: login?.sis_user_id ?? '' };
  }

  /**
   * Gives a person another SIS ID, or none, as an administrator does with change_sis_id; other people keep
   * theirs.
   */
  changeSisId({ id }: Person, sisId: string | null): void {
    const { pseudonyms } = this.sandbox.world;
    const [login] = pseudonyms.by.user.get(id);
    if (!login) throw new Error(`person ${id} has no login`);
    pseudonyms.change(login, { sis_user_id: sisId });
  }

  /** Swaps the SIS IDs of two people. */
  swapSisIds(one: Person, other: Person): void {
    const [first, second] = [this.person(one.id).sis, this.person(other.id).sis];
    this.changeSisId(one, `X${first}`);
    this.changeSisId(other, first);
    this.changeSisId(one, second);
  }

  /** Finds people with an SIS ID who have no enrolment in any state in these courses. */
  strangers(count: number, courseIds: readonly number[]): Person[] {
    const inside = new Set(
      [...this.sandbox.world.enrollments.values()]
        .filter((one) => courseIds.includes(one.course_id))
        .map((one) => one.user_id),
    );
    const found: Person[] = [];
    for (const login of this.sandbox.world.pseudonyms.values()) {
      if (found.length === count) break;
      if (login.user_id < 1_300 || inside.has(login.user_id) || login.sis_user_id === null) continue;
      if (login.workflow_state !== 'active') continue;
      found.push(this.person(login.user_id));
    }
    return found;
  }

  /** Reads a course's enrolments in the given states, as the LMS reports them. */
  async enrolments(courseId: number, roleId: number, states = ['active']): Promise<EnrolmentJson[]> {
    const query = states.map((state) => `state[]=${state}`).join('&');
    const all: EnrolmentJson[] = [];
    for (let page = 1; ; page++) {
      const answer = await this.api(
        `courses/${courseId}/enrollments?role_id=${roleId}&${query}&per_page=100&page=${page}`,
      );
      const list = (await answer.json()) as EnrolmentJson[];
      all.push(...list);
      if (list.length < 100) return all;
    }
  }

  /** Puts a person into a section with this state, as another user would. An existing enrolment is changed. */
  enrol(
    personId: number,
    section: { id: number; course_id: number },
    roleId: number,
    state = 'active',
  ): void {
    const { world } = this.sandbox;
    const workflow_state = state as 'active';
    const there = this.enrolmentOf(personId, section.id, roleId);
    if (there) {
      world.enrollments.change(there, { workflow_state });
      return;
    }
    const model = [...world.enrollments.values()].find((one) => one.role_id === roleId);
    if (!model) throw new Error(`nobody has role ${roleId}`);
    const { id: _id, created_at: _created, updated_at: _updated, ...like } = model;
    world.enrollments.add({
      ...like,
      user_id: personId,
      course_id: section.course_id,
      course_section_id: section.id,
      workflow_state,
    });
  }

  /** Changes an enrolment in the LMS as a person would two seconds later, state by state. */
  later(
    { id }: Pick<Person, 'id'>,
    section: { id: number },
    roleId: number,
    states: readonly string[],
  ): void {
    const { enrollments } = this.sandbox.world;
    const place = this.enrolmentOf(id, section.id, roleId);
    if (!place) throw new Error(`person ${id} was never in section ${section.id}`);
    for (const state of states)
      enrollments.change(place, { workflow_state: state as (typeof place)['workflow_state'] });
    place.updated_at = `${new Date(Date.now() + 2_000).toISOString().slice(0, 19)}Z`;
  }

  enrolmentOf(personId: number, sectionId: number, roleId: number) {
    return [...this.sandbox.world.enrollments.values()].find(
      (one) => one.user_id === personId && one.course_section_id === sectionId && one.role_id === roleId,
    );
  }

  /** Returns the state of a person's enrolment, or `deleted` if there is none. */
  stateOf(personId: number, sectionId: number, roleId: number): string {
    return this.enrolmentOf(personId, sectionId, roleId)?.workflow_state ?? 'deleted';
  }

  /** Creates a section in the LMS as a person does, without an SIS ID. */
  async newSection(course_id: number, name: string): Promise<{ id: number; course_id: number }> {
    const answer = await this.api(`courses/${course_id}/sections`, {
      method: 'POST',
      body: { course_section: { name } },
    });
    return { id: ((await answer.json()) as { id: number }).id, course_id };
  }

  /** Finds the default section of a course in which it is visible. */
  defaultSection(courseId: number): { id: number; course_id: number; name: string } {
    const { world } = this.sandbox;
    const { name } = world.courses.must(courseId);
    const found = [...world.sections.by.course.get(courseId)].find(
      (one) => one.default_section && one.name === name,
    );
    if (!found) throw new Error(`course ${courseId} shows no default section`);
    return found;
  }

  /**
   * Prepares a course in the account with three sections: the default one, one with an SIS ID and a new one
   * without. One person is in all three.
   */
  async inThreeSections(accountId: number, roleId: number) {
    const { world } = this.sandbox;
    const sectionsOf = (id: number) => [...world.sections.by.course.get(id)];
    const course = this.courses(accountId).find((one) => {
      const sections = sectionsOf(one.id);
      return (
        sections.some((section) => section.default_section) &&
        sections.some((section) => section.sis_source_id !== null) &&
        !sections.some((section) => section.name === 'Evening group')
      );
    });
    const fallback = sectionsOf(course?.id ?? 0).find((section) => section.default_section);
    const named = sectionsOf(course?.id ?? 0).find((section) => section.sis_source_id !== null);
    const [person] = this.strangers(1, [course?.id ?? 0]);
    if (!course || !fallback || !named || !person) throw new Error('the campus has no such course');
    const answer = await this.api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Evening group' } },
    });
    const byHand = (await answer.json()) as { id: number };
    for (const id of [fallback.id, named.id, byHand.id]) {
      this.enrol(person.id, { id, course_id: course.id }, roleId);
    }
    return { course, fallback, named: { id: named.id, sis: named.sis_source_id }, byHand, person };
  }

  /** Finds LMS imports whose file has LMS Admin's name for this import. */
  async importsNamed(id: string): Promise<{ id: number; workflow_state: string }[]> {
    const answer = await this.api('accounts/1/sis_imports?per_page=100');
    const { sis_imports } = (await answer.json()) as {
      sis_imports: { id: number; workflow_state: string; csv_attachments?: { filename: string }[] }[];
    };
    return sis_imports.filter((one) =>
      one.csv_attachments?.some((file) => file.filename.includes(`lms-admin-${id}`)),
    );
  }

  /** Returns the requests to the LMS, newest last. */
  async requests(filter: (one: { method: string; path: string; status: number | null }) => boolean) {
    const answer = await fetch(`${this.sandbox.url}/sandbox/requests`);
    const { requests } = (await answer.json()) as {
      requests: { method: string; path: string; status: number | null }[];
    };
    return requests.filter(filter);
  }

  /** Waits until the LMS has received a request. */
  async seen(filter: Parameters<Campus['requests']>[0]): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while ((await this.requests(filter)).length === 0) {
      if (Date.now() > deadline) throw new Error('the LMS has not been asked');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async fault(spec: Record<string, unknown>): Promise<void> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(spec),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.sandbox.url}/sandbox/faults`, { method: 'DELETE' });
  }

  async forgetRequests(): Promise<void> {
    await fetch(`${this.sandbox.url}/sandbox/requests`, { method: 'DELETE' });
  }
}

/** Requests a plan as the console does: a job, and the plan that it creates. */
export function askPlan(browser: Browser, request: PlanRequest) {
  return asked(browser, 'course-plan', request, ENDPOINTS.plan, plan);
}

/** Requests a Section Enrollment plan in the same way. */
export function askSectionPlan(browser: Browser, request: SectionPlanRequest) {
  return asked(browser, 'section-plan', request, ENDPOINTS.sectionPlan, sectionPlan);
}

/** Requests the plan that undoes an import, by the import’s id. */
export function askUndo(browser: Browser, of: string, tool: keyof typeof UNDO_KINDS = 'course-enrollment') {
  return asked(browser, UNDO_KINDS[tool], { import: of }, ENDPOINTS.undoPlan, undoPlan);
}

/** Creates the undo plan of an import, which must succeed. */
export async function undoOf(
  browser: Browser,
  { id }: { id: string },
  tool?: keyof typeof UNDO_KINDS,
): Promise<UndoPlan> {
  const { plan, error } = await askUndo(browser, id, tool);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

/** Requests a plan for groups that are to be created. */
export function askGroupPlan(browser: Browser, request: GroupPlanRequest) {
  return asked(browser, GROUP_PLAN, request, ENDPOINTS.groupPlan, groupPlan);
}

/** Requests a plan for group members. */
export function askMemberPlan(browser: Browser, request: MemberPlanRequest) {
  return asked(browser, MEMBER_PLAN, request, ENDPOINTS.memberPlan, memberPlan);
}

async function asked<S extends z.ZodType>(
  browser: Browser,
  kind: string,
  input: unknown,
  path: string,
  schema: S,
) {
  const answer = await startPlan(browser, kind, input);
  if (!answer.job) return { ...answer, progress: [], plan: null };
  const { id } = answer.job;
  const progress: { stage: string | null; done: number; total: number | null }[] = [];
  for (;;) {
    const now = await jobOf(browser, id);
    const { stage, progress: far } = now;
    const seen = progress.at(-1);
    if (far && !now.ended_at && (seen?.stage !== stage || seen.done !== far.done))
      progress.push({ stage, ...far });
    if (now.ended_at) {
      const error: Refusal | null = now.problem;
      if (now.state !== 'done') return { status: answer.status, job: now, progress, plan: null, error };
      const body = await (await browser.fetch(path.replace(':plan', id))).json();
      return { status: answer.status, job: now, progress, plan: schema.parse(body.data), error };
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The result if the request is rejected immediately, otherwise the failure of the job. */
type Refusal = Pick<ErrorBody, 'message' | 'next'> & Partial<ErrorBody>;

/** Starts the job of a plan without waiting for it. */
export async function startPlan(browser: Browser, kind: string, input: unknown) {
  const response = await browser.post(jobStartPath(kind), { key: randomUUID(), input });
  const body = await response.json();
  const { status } = response;
  return status === 200
    ? { status, job: job.parse(body.data), error: null }
    : { status, job: null, error: errorEnvelope.parse(body).error as Refusal };
}

/** Reads a job with all its results. */
export async function jobOf(browser: Browser, id: string): Promise<JobDetail> {
  const response = await browser.fetch(ENDPOINTS.job.replace(':job', id));
  return jobDetail.parse((await response.json()).data);
}

/** Cancels a job, and waits until no server is working on it. */
export async function cancelJob(browser: Browser, id: string): Promise<JobDetail> {
  await browser.post(ENDPOINTS.jobCancel.replace(':job', id), {});
  for (;;) {
    const now = await jobOf(browser, id);
    if (now.ended_at) return now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Creates a plan that must succeed. */
export async function makePlan(browser: Browser, request: PlanRequest): Promise<Plan> {
  const { plan, error } = await askPlan(browser, request);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

export async function makeSectionPlan(
  browser: Browser,
  sections: SectionPlanRequest['sections'],
): Promise<SectionPlan> {
  const { plan, error } = await askSectionPlan(browser, { sections });
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

export async function makeGroupPlan(browser: Browser, request: GroupPlanRequest): Promise<GroupPlan> {
  const { plan, error } = await askGroupPlan(browser, request);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

export async function makeMemberPlan(browser: Browser, request: MemberPlanRequest): Promise<MemberPlan> {
  const { plan, error } = await askMemberPlan(browser, request);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

/** Submits as the console does: a file only once its effect is known. */
export async function submit(browser: Browser, payload: unknown): Promise<Response> {
  const { file } = payload as { file?: unknown };
  if (typeof file === 'string') await workedOut(browser, file);
  return browser.invoke(
    lmsUrl('sis-import-create', {}, [['override_sis_stickiness', 'true']]),
    'POST_SIS',
    payload,
  );
}

/** Returns the import created by a submission. */
export async function submitted(browser: Browser, payload: unknown): Promise<SisImport> {
  const response = await submit(browser, payload);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return sisImport.parse(body.data);
}

export async function statusOf(browser: Browser, id: string): Promise<SisImport> {
  const response = await browser.invoke(lmsUrl('sis-import-status', { import: id }));
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return sisImport.parse(body.data);
}

/** Waits until the import satisfies the condition. Final states also end the wait. */
export async function watch(
  browser: Browser,
  id: string,
  until: (one: SisImport) => boolean = (one) => one.final,
  ms = WAIT_MS,
): Promise<SisImport> {
  const deadline = Date.now() + ms;
  for (;;) {
    const one = await statusOf(browser, id);
    if (until(one)) return one;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(one)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Waits until the effect of a file is known, if it can be requested. */
async function workedOut(browser: Browser, file: string): Promise<void> {
  const started = await startEffect(browser, file);
  if (started.status === 200) await jobEnded(browser, (await started.json()).data.id);
}
