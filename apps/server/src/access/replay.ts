/** Finds runs of the last 90 days that a person would have been refused under their changed record. */
import type { AccessRecord, RefusedRuns } from '@lms-admin/contract/access';
import { ACTIONS, type Action } from '@lms-admin/contract/access-actions';
import {
  COURSE_PLAN,
  GROUP_PLAN,
  MEMBER_PLAN,
  SECTION_PLAN,
  UNDO_KINDS,
} from '@lms-admin/contract/plan-kinds';
import { SIS_EFFECT } from '@lms-admin/contract/sis-effects';
import { ZOOM_RUN_REVIEW } from '@lms-admin/contract/zoom-runs';
import { loginKey } from '@lms-admin/domain/access-records';
import { and, desc, eq, gt, notInArray } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { imports, jobs, plans } from '../platform/schema.ts';
import type { AccountTree } from './account-tree.ts';
import { type PlaceParts, roleLabels, treeOf } from './places.ts';
import { answerFor } from './rules.ts';
import type { Scope } from './scope.ts';

export interface Replay {
  /** @param by whose access is used to read the courses */
  of(by: Admin, login: string, after: AccessRecord, signal?: AbortSignal): Promise<RefusedRuns>;
}

export interface ReplayParts extends PlaceParts {
  db: Db;
  scope: Scope;
  now: () => number;
}

const DAYS_MS = 90 * 86_400_000;
const MOST_RUNS = 1_000;
/** Maximum number of courses looked up for one review; runs in others are left unchecked. */
const MOST_COURSES = 300;
const MAX_LISTED = 20;
/** Preparatory steps, which Activity lists as part of a run. */
const STEPS = [
  COURSE_PLAN,
  SECTION_PLAN,
  GROUP_PLAN,
  MEMBER_PLAN,
  ...Object.values(UNDO_KINDS),
  SIS_EFFECT,
  ZOOM_RUN_REVIEW,
];

interface Run {
  id: string;
  tool: string;
  label: string;
  at: Date;
  courses: string[];
  role: number | null;
}

export function createReplay(parts: ReplayParts): Replay {
  return {
    async of(by, login, after, signal) {
      const runs = await runsOf(parts, login);
      const wanted = [...new Set(runs.flatMap(({ courses }) => courses))].slice(0, MOST_COURSES);
      const accounts = await accountsOf(parts, by, wanted, signal);
      const tree = wanted.length === 0 ? null : await treeOf(parts, by, undefined, signal);
      const label = await roleLabels(
        parts,
        by,
        runs.flatMap(({ role }) => role ?? []),
        signal,
      );
      const judged = runs.map((run) => ({
        run,
        ...judge(run, after, { accounts, tree, label, now: parts.now() }),
      }));
      const refused = judged.filter(({ why }) => why !== null);
      return {
        runs: runs.length,
        checked: judged.filter(({ checked, why }) => checked || why !== null).length,
        refused: refused.slice(0, MAX_LISTED).map(({ run, why }) => ({
          job: run.id,
          label: run.label,
          at: run.at.toISOString(),
          why: why ?? '',
        })),
        refused_count: refused.length,
      };
    },
  };
}

async function runsOf({ db, now }: ReplayParts, login: string): Promise<Run[]> {
  const rows = await db
    .select({
      id: jobs.id,
      tool: jobs.tool,
      label: jobs.label,
      at: jobs.createdAt,
      about: jobs.about,
      role: plans.roleId,
    })
    .from(jobs)
    .leftJoin(imports, eq(imports.id, jobs.id))
    .leftJoin(plans, eq(plans.id, imports.planId))
    .where(
      and(
        eq(jobs.login, loginKey(login)),
        gt(jobs.createdAt, new Date(now() - DAYS_MS)),
        notInArray(jobs.kind, STEPS),
      ),
    )
    .orderBy(desc(jobs.createdAt))
    .limit(MOST_RUNS);
  return rows.map(({ about, ...row }) => ({
    ...row,
    courses: about?.sis_ids.filter((sisId) => sisId !== '') ?? [],
  }));
}

/** Returns the account of each course that is found. */
async function accountsOf(
  { scope }: ReplayParts,
  by: Admin,
  sisIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, { name: string; account: number }>> {
  try {
    const found = await scope.coursesBySisId(by, sisIds, signal);
    return new Map([...found].map(([sisId, { name, account_id }]) => [sisId, { name, account: account_id }]));
  } catch (error) {
    signal?.throwIfAborted();
    // Courses that cannot be looked up are reported as unchecked.
    if (error instanceof CanvasError) return new Map();
    throw error;
  }
}

interface Known {
  accounts: ReadonlyMap<string, { name: string; account: number }>;
  tree: AccountTree | null;
  label: (role: number) => string;
  now: number;
}

/** Returns whether the whole run was checked, and the rule that refuses it, or null. */
function judge(run: Run, after: AccessRecord, known: Known): { checked: boolean; why: string | null } {
  const action = actionOf(run.tool);
  if (action === null) return { checked: false, why: null };
  const role =
    run.role === null || action.level === null ? null : { id: run.role, label: known.label(run.role) };
  // Without the tree, a place below a programme would seem to be outside it.
  const placeOf = (sisId: string) => (known.tree === null ? null : (known.accounts.get(sisId) ?? null));
  const places = action.place ? run.courses.map(placeOf) : [null];
  const facts = { action, role, tree: known.tree, now: known.now };
  const answers = (places.length === 0 ? [null] : places).map((place) =>
    answerFor(after.login, after, { ...facts, place }),
  );
  const refused = answers.find(({ may }) => !may);
  const isWhole = !action.place || (places.length > 0 && places.every((place) => place !== null));
  return { checked: isWhole, why: refused?.decides.words ?? null };
}

/** Returns any action of the tool: adding and removing follow the same rules, so any action gives the right answer. */
function actionOf(tool: string): Action | null {
  const same = tool === 'award-import' ? 'award-reports' : tool;
  return ACTIONS.find((action) => action.tool === same) ?? null;
}
