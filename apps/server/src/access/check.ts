/** Answers to 'who can do what', by person or by action, determined by the same functions that guard the calls. */
import type { AccessAnswer, AccessQuestion, AccessWho, PersonAccess } from '@lms-admin/contract/access';
import { actionById } from '@lms-admin/contract/access-actions';
import type { SubAccount } from '@lms-admin/contract/session';
import { TOOLS, toolById } from '@lms-admin/contract/tools';
import { assignableRoleIds, topAccounts } from '@lms-admin/domain/access';
import { type AccessEntry, activeRecord, entryState, loginKey } from '@lms-admin/domain/access-records';
import type { Admin } from '../auth/admin.ts';
import { AppError } from '../platform/errors.ts';
import { type PlaceParts, roleLabels, treeOf } from './places.ts';
import type { AccessRecords } from './records.ts';
import { mayUse } from './rights.ts';
import { type AccessFacts, answerFor } from './rules.ts';
import type { Scope } from './scope.ts';

export interface CheckParts extends PlaceParts {
  access: AccessRecords;
  scope: Scope;
  now: () => number;
}

export class AccessCheck {
  readonly #parts: CheckParts;

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  /** Returns everything a person can do, with the names that `by` can read. */
  async person(by: Admin, login: string, signal?: AbortSignal): Promise<PersonAccess> {
    const { access, now } = this.#parts;
    await access.fresh();
    const entry = access.entries.get(loginKey(login));
    const record = entry?.record ?? null;
    const top = record === null ? [] : topAccounts(record);
    const roles = (level: 'course' | 'section') => (record === null ? [] : assignableRoleIds(record, level));
    const tree = top === 'all' || top.length === 0 ? null : await treeOf(this.#parts, by, undefined, signal);
    const label = await roleLabels(this.#parts, by, [...roles('course'), ...roles('section')], signal);
    const state = entry ? entryState(entry, now()) : 'none';
    const named = (level: 'course' | 'section') => roles(level).map((id) => ({ id, name: label(id) }));
    return {
      login: entry?.login ?? login,
      state,
      email: record?.email ?? null,
      perm: record?.perm ?? null,
      reason: entry?.reason ?? '',
      expires_at: entry?.expires_at ?? null,
      tools: TOOLS.map(({ id }) => toolOf(entry, id, now())),
      everywhere: top === 'all',
      programmes: top === 'all' ? [] : top.map((id) => ({ id, name: tree?.accounts.get(id)?.name ?? null })),
      names_missing: top !== 'all' && top.length > 0 && tree === null,
      roles: { course: named('course'), section: named('section') },
      zoom_queue_removal: record?.feature_permissions.zoom_update_courses_delete ?? false,
    };
  }

  /** @throws AppError not-found for a course or account that does not exist */
  async question(
    by: Admin,
    login: string,
    question: AccessQuestion,
    signal?: AbortSignal,
  ): Promise<AccessAnswer> {
    const { access } = this.#parts;
    await access.fresh();
    const entry = access.entries.get(loginKey(login));
    return answerFor(entry?.login ?? login, entry, await this.#factsOf(by, question, signal));
  }

  /** Lists the people for whom the answer to the question is yes. */
  async who(by: Admin, question: AccessQuestion, signal?: AbortSignal): Promise<AccessWho> {
    const { access } = this.#parts;
    await access.fresh();
    const facts = await this.#factsOf(by, question, signal);
    const all = [...access.entries.values()];
    const people = all.filter((entry) => answerFor(entry.login, entry, facts).may);
    return {
      people: people.map(({ login, record, expires_at }) => ({ login, perm: record.perm, expires_at })),
      of: all.length,
      place: facts.place,
    };
  }

  async #factsOf(by: Admin, question: AccessQuestion, signal?: AbortSignal): Promise<AccessFacts> {
    const action = actionById(question.action);
    const { role: roleId } = question;
    const place = action.place ? await this.#place(by, question, signal) : null;
    const label = roleId === undefined ? null : (await roleLabels(this.#parts, by, [roleId], signal))(roleId);
    return {
      action,
      role: roleId === undefined || label === null ? null : { id: roleId, label },
      place,
      tree: place === null ? null : await this.#parts.trees.tree(by, place.account, signal),
      now: this.#parts.now(),
    };
  }

  async #place(
    by: Admin,
    { course, account }: AccessQuestion,
    signal?: AbortSignal,
  ): Promise<AccessFacts['place']> {
    const { scope, trees } = this.#parts;
    if (course !== undefined && course !== '') {
      const found = /^\d{1,15}$/.test(course)
        ? ((await scope.course(by, Number(course), signal)) ??
          (await scope.courseBySisId(by, course, signal)))
        : await scope.courseBySisId(by, course, signal);
      if (found) return { name: found.name, account: found.account_id };
      throw new AppError('not-found', {
        message: `No course has the number or SIS ID ‘${course}’.`,
        next: 'Enter the number or the SIS ID of a course.',
      });
    }
    if (account === undefined) return null;
    const { accounts } = await trees.tree(by, account, signal);
    const found = accounts.get(account);
    if (found) return { name: found.name, account };
    throw new AppError('not-found', {
      message: 'The LMS does not have this programme.',
      next: 'Choose again.',
    });
  }
}

function toolOf(entry: AccessEntry<SubAccount> | undefined, tool: (typeof TOOLS)[number]['id'], now: number) {
  const may = activeRecord(entry, now) !== null && entry !== undefined && mayUse(entry, tool);
  return { tool, may, words: whyOf(entry, tool, now) };
}

function whyOf(entry: AccessEntry<SubAccount> | undefined, tool: (typeof TOOLS)[number]['id'], now: number) {
  if (!entry) return 'This person has no access record.';
  if (!entry.record[toolById(tool).flag]) return 'Not in the record.';
  if (!mayUse(entry, tool)) return 'In the record, but only for people with access to the whole school.';
  const state = entryState(entry, now);
  if (state === 'active') return 'In the record.';
  return `In the record, but the record ${state === 'disabled' ? 'is disabled' : 'has ended'}.`;
}
