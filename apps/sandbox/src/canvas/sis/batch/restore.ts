import type { Spool } from '../../../files/spool.ts';
import type { Progress, Row } from '../../store/model.ts';
import { type SisBatch, STATE_KINDS, type StateChange, type StateKind } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';
import { followStudent, leaveGroups } from '../importers/effects.ts';
import { stateOf, Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import { showMessages, writeErrorsFile } from './outcome.ts';
import type { Pace } from './pace.ts';

/** The parts to undo (§7.5). All false: undo everything. */
export interface RestoreOptions {
  batch_mode: boolean;
  undelete_only: boolean;
  unconclude_only: boolean;
}

/** How long undo data is kept, in milliseconds. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const UNDELETED = new Set(['deleted', 'retired']);
const UNFINISHED = new Set(['initializing', 'created', 'importing', 'cleanup_batch', 'restoring']);

/** Returns whether an import has ended, so that it can be undone. */
export function isFinished(batch: SisBatch): boolean {
  return !UNFINISHED.has(batch.workflow_state);
}

/** Returns whether an import can be undone: it has changed states, and is at most 30 days old. */
export function hasUndoData(world: World, { state_changes, created_at }: SisBatch): boolean {
  return state_changes.length > 0 && world.clock() - Date.parse(created_at) <= KEPT_MS;
}

/** Creates the progress that a client polls while a restore runs (§7.5). */
export function restoreProgress(world: World, batch: SisBatch, userId: number): Progress {
  return world.progresses.add({
    context_id: batch.id,
    context_type: 'SisBatch',
    user_id: userId,
    tag: 'sis_batch_state_restore',
    completion: 0,
    workflow_state: 'queued',
    message: null,
    results: null,
  });
}

/** Restores states, kind by kind in Canvas's order, and nothing else (§7.5). @throws Stopped */
export async function restore(
  world: World,
  batch: SisBatch,
  options: RestoreOptions,
  progress: Progress,
  pace: Pace,
  spool: Spool,
): Promise<void> {
  const tables = tablesOf(world);
  world.progresses.change(progress, { workflow_state: 'running' });
  world.sisBatches.change(batch, { workflow_state: 'restoring' });
  const changes = wanted(world, batch, options);
  const back = new Set<string>();
  const failed = new Set<string>();
  let done = 0;
  for (const change of changes) {
    if (putBack(world, tables[change.context_type], change)) back.add(nameOf(change));
    else {
      failed.add(nameOf(change));
      warn(world, batch, change);
    }
    done++;
    if (done % 100 === 0) {
      world.progresses.change(progress, { completion: Math.floor((done / changes.length) * 100) });
      await pace.done(100);
    }
  }
  await pace.done(done % 100);
  batch.state_changes = batch.state_changes.map((one) => {
    if (back.has(nameOf(one))) return { ...one, restored: true as const };
    return failed.has(nameOf(one)) ? { ...one, failed: true as const } : one;
  });
  follow(world, batch, changes);
  await writeErrorsFile(world, batch, spool, pace);
  showMessages(batch);
  const partly = options.batch_mode || options.undelete_only || options.unconclude_only;
  world.sisBatches.change(batch, {
    workflow_state: partly ? 'partially_restored' : 'restored',
    data: { ...batch.data, statistics: recounted(batch) },
  });
  world.progresses.change(progress, { workflow_state: 'completed', completion: 100 });
}

/** Finds the first change of each object among those that the options select, in the order of restoring. */
function wanted(world: World, batch: SisBatch, options: RestoreOptions): StateChange[] {
  if (!hasUndoData(world, batch)) return [];
  const first = new Map<string, StateChange>();
  for (const change of batch.state_changes) {
    if (change.restored || change.failed || (options.batch_mode && !change.batch_mode_delete)) continue;
    if (options.undelete_only && !UNDELETED.has(change.updated_state)) continue;
    const concluded = change.context_type === 'Enrollment' && change.updated_state === 'completed';
    if (options.unconclude_only && !concluded) continue;
    const key = nameOf(change);
    if (!first.has(key)) first.set(key, change);
  }
  const order = (change: StateChange) => STATE_KINDS.indexOf(change.context_type);
  return [...first.values()].sort((a, b) => order(a) - order(b));
}

const nameOf = ({ context_type, context_id }: StateChange): string => `${context_type} ${context_id}`;

/**
 * Applies the side effects of a restored state. Observers linked since then are enrolled when the student returns. A
 * person who is deleted again leaves the course's groups, unless the import created them (§18.1).
 */
function follow(world: World, batch: SisBatch, changes: readonly StateChange[]): void {
  const work = new Work(world, batch);
  work.recording = false;
  for (const { context_type: kind, context_id: id, previous_state: previous } of changes) {
    const enrollment = kind === 'Enrollment' ? world.enrollments.get(id) : undefined;
    if (enrollment?.workflow_state === 'active') followStudent(work, enrollment);
    else if (enrollment?.workflow_state === 'deleted' && previous === 'deleted') {
      followStudent(work, enrollment);
      leaveGroups(work, enrollment);
    }
  }
}

interface StateTable {
  get(id: number): Row | undefined;
  setState(row: Row, state: string): void;
}

interface TableOf<T extends Row> {
  get(id: number): T | undefined;
  change(row: T, patch: Partial<Omit<T, 'id'>>): unknown;
}

const stateTable = <T extends Row>(
  table: TableOf<T>,
  patchOf: (state: string) => Partial<Omit<T, 'id'>>,
): StateTable => ({
  get: (id) => table.get(id),
  setState: (row, state) => void table.change(row as T, patchOf(state)),
});

function tablesOf(world: World): Record<StateKind, StateTable> {
  const plain = <T extends Row & { workflow_state: string }>(table: TableOf<T>) =>
    stateTable(table, (state) => ({ workflow_state: state }) as unknown as Partial<Omit<T, 'id'>>);
  return {
    Account: plain(world.accounts),
    EnrollmentTerm: plain(world.terms),
    AbstractCourse: plain(world.abstractCourses),
    Course: plain(world.courses),
    CourseSection: plain(world.sections),
    GroupCategory: stateTable(world.groupCategories, (state) => ({
      deleted_at: state === 'deleted' ? world.now() : null,
    })),
    Group: plain(world.groups),
    Pseudonym: plain(world.pseudonyms),
    CommunicationChannel: plain(world.channels),
    Enrollment: plain(world.enrollments),
    GroupMembership: plain(world.groupMemberships),
    UserObserver: plain(world.userObservers),
    AccountUser: plain(world.accountUsers),
  };
}

/**
 * Deletes objects that the import created and retires email addresses; other objects get their former state.
 */
function putBack(world: World, table: StateTable, change: StateChange): boolean {
  const row = table.get(change.context_id);
  if (!row) return false;
  const gone = change.context_type === 'CommunicationChannel' ? 'retired' : 'deleted';
  const state = change.previous_state === 'non-existent' ? gone : change.previous_state;
  if (change.context_type === 'Pseudonym' && state !== gone && isLoginTaken(world, change.context_id))
    return false;
  if (change.context_type === 'GroupMembership' && state !== gone && restoresMember(world, change.context_id))
    return false;
  if (stateOf(row) !== state) table.setState(row, state);
  return true;
}

/** Returns whether another person signs in under the login's name, so that the login cannot be restored. */
function isLoginTaken(world: World, pseudonymId: number): boolean {
  const login = world.pseudonyms.must(pseudonymId);
  return world.pseudonyms.by.login
    .get(login.unique_id.toLowerCase())
    .some((other) => other !== login && other.workflow_state !== 'deleted');
}

/**
 * Returns whether a membership can be restored; it cannot if the same person has another one in the same
 * group.
 */
function restoresMember(world: World, membershipId: number): boolean {
  const { group_id: groupId, user_id: userId } = world.groupMemberships.must(membershipId);
  return world.groupMemberships.by.group
    .get(groupId)
    .some(
      (other) => other.id !== membershipId && other.user_id === userId && other.workflow_state !== 'deleted',
    );
}

function warn(world: World, batch: SisBatch, change: StateChange): void {
  const message = messages.restore.row(`${change.context_type} ${change.context_id}`);
  batch.errors.push({ file: null, message, row: null, failure: false, created_at: world.now() });
}

/** Counts everything restored so far, by this restore and earlier ones. */
function recounted(batch: SisBatch): Record<string, unknown> {
  const statistics = { ...(batch.data['statistics'] as Record<string, unknown> | undefined) };
  const back = batch.state_changes.filter(({ restored }) => restored);
  for (const kind of STATE_KINDS) {
    const restored = new Set(back.flatMap((one) => (one.context_type === kind ? [one.context_id] : []))).size;
    statistics[kind] = { ...(statistics[kind] as object | undefined), restored };
  }
  return statistics;
}
