/** State of a course's dialog: the selection, the form, the running change and its result. Pure. */
import type { JobDetail } from '@lms-admin/contract/jobs';
import { type ZoomChange, type ZoomChangeResult, zoomChangeResult } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ApiError } from '../../api/errors.ts';
import { problemOf } from '../../api/jobs.ts';
import { type PublishForm, publishForm } from './publish-form.ts';

const view = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('publish'), form: publishForm }),
  z.object({ kind: z.literal('merge'), parent: z.number().nullable() }),
  z.object({ kind: z.literal('unmerge'), event: z.number() }),
]);
/** The form that is open above the table. */
export type View = z.infer<typeof view>;

/** Unsaved entries in a course, which survive a reload and a new sign-in. */
export const courseEntries = z.object({
  selected: z.array(z.number()),
  view: view.nullable(),
  opened: view.nullable(),
});
export type CourseEntries = z.infer<typeof courseEntries>;

/** A change that was started and has not been dismissed yet. */
export interface Running {
  job: string;
  asked: ZoomChange;
}

/** The result of the last change, if it was not done in full. */
export interface Failure {
  asked: ZoomChange;
  /**
   * `later`: nothing failed, but some events were not changed because a later change applies to them. `outdated`:
   * nothing was started, because the preview of the change was out of date.
   */
  outcome: 'some' | 'all' | 'later' | 'cancelled' | 'unseen' | 'outdated';
  failed: ZoomChangeResult['failed'];
  /** Events that have disappeared from the course's calendar, if nothing was started. */
  gone: readonly number[];
  later: ZoomChangeResult['later'];
  /** Events that were not changed, or only in part, because the change was cancelled. */
  stopped: ZoomChangeResult['stopped'];
  /** Additional text about the changed events, such as links that were added by hand, which are kept. */
  more: string | null;
  /** Text about how many events are done and how many are not, if the change was cancelled. */
  note: string | null;
  problem: ApiError | null;
}

export interface CourseState {
  selected: ReadonlySet<number>;
  view: View | null;
  /** The form as it was when it was opened. */
  opened: View | null;
  /** Whether the open form is for a different change from the one that is running or has just ended. */
  aside: boolean;
  running: Running | null;
  failure: Failure | null;
  /** The change that was done in full, until the administrator has dismissed it. */
  saved: ZoomChange | null;
  /** Additional text about that change, for example that it was cancelled too late. */
  savedNote: string | null;
}

export type CourseAction =
  | { type: 'select'; selected: ReadonlySet<number> }
  /** @property retry whether the view is the repeat of a failed change */
  | { type: 'open'; view: View; retry?: boolean }
  | { type: 'form'; form: PublishForm }
  | { type: 'parent'; parent: number | null }
  | { type: 'close' }
  /**
   * The administrator has left a change that waits for another day: Activity shows it, and other changes can be made.
   */
  | { type: 'left' }
  | { type: 'started'; running: Running }
  | { type: 'ended'; job: JobDetail }
  /** The result has been deleted. */
  | { type: 'unseen' }
  /** 'Done', or a note that was read. */
  | { type: 'noted' }
  /** The events that can be selected now. */
  | { type: 'events'; selectable: ReadonlySet<number> };

/** @param running a change started before a reload @param entries unsaved entries from before the reload */
export function openState(running: Running | null, entries: CourseEntries | null = null): CourseState {
  return {
    selected: new Set(entries?.selected),
    view: entries?.view ?? null,
    opened: entries?.opened ?? null,
    aside: running !== null && entries?.view != null,
    running,
    failure: null,
    saved: null,
    savedNote: null,
  };
}

/** Collects the unsaved entries in the state; null if none. */
export function entriesOf({ selected, view, opened, ...state }: CourseState): CourseEntries | null {
  // A form that is being saved or has been saved belongs to the change.
  const form = stepOf(state) === 1 ? { view, opened } : { view: null, opened: null };
  return selected.size === 0 && form.view === null ? null : { selected: [...selected], ...form };
}

/** Tells whether the open form contains more than when it was opened. */
export function hasEntries({ view, opened }: Pick<CourseState, 'view' | 'opened'>): boolean {
  return view !== null && JSON.stringify(view) !== JSON.stringify(opened);
}

/** Lists the events that a change names. */
export function namedBy(change: ZoomChange): readonly number[] {
  return change.change === 'unmerge' ? [change.event] : change.events;
}

export function courseReducer(state: CourseState, action: CourseAction): CourseState {
  switch (action.type) {
    case 'select':
      return { ...state, selected: action.selected };
    case 'open':
      return {
        ...state,
        view: action.view,
        opened: action.view,
        aside: state.running !== null && action.retry !== true,
        saved: null,
        failure: action.retry === true ? state.failure : null,
      };
    case 'form':
      return state.view?.kind === 'publish'
        ? { ...state, view: { ...state.view, form: action.form } }
        : state;
    case 'parent':
      return state.view?.kind === 'merge'
        ? { ...state, view: { ...state.view, parent: action.parent } }
        : state;
    case 'close':
      // The result of another change that ended in the meantime is shown once its form is closed.
      if (state.aside) return settled({ ...state, view: null, aside: false });
      return { ...state, view: null, saved: null };
    case 'left': {
      const named = new Set(state.running === null ? [] : namedBy(state.running.asked));
      const selected = new Set([...state.selected].filter((id) => !named.has(id)));
      return { ...openState(null), selected };
    }
    case 'started':
      // Closing the form does not discard entries that were sent.
      return {
        ...state,
        opened: state.view,
        aside: false,
        running: action.running,
        failure: null,
        saved: null,
      };
    case 'ended':
      return state.running === null ? state : ended(state, state.running.asked, action.job);
    case 'unseen':
      return state.running === null
        ? state
        : withFailure(state, { ...NOTHING, asked: state.running.asked, outcome: 'unseen' });
    case 'noted':
      return { ...state, view: null, aside: false, failure: null, saved: null };
    case 'events': {
      const left = [...state.selected].filter((id) => action.selectable.has(id));
      return left.length === state.selected.size ? state : { ...state, selected: new Set(left) };
    }
  }
}

function ended(state: CourseState, change: ZoomChange, job: JobDetail): CourseState {
  if (job.outcome === 'done')
    return settled({ ...state, running: null, failure: null, saved: change, savedNote: job.note });
  const { failed, gone, later, outdated, stopped, more } = zoomChangeResult.safeParse(job.result).data ?? {
    ...NOTHING,
    outdated: false,
  };
  const came = { ...NOTHING, asked: change, failed, later, stopped, more };
  if (outdated) return withFailure(state, { ...came, gone: gone ?? [], outcome: 'outdated' });
  if (job.outcome === 'cancelled')
    return withFailure(state, { ...came, outcome: 'cancelled', note: job.note });
  if (failed.length === 0 && later.length > 0)
    // Nothing can be repeated, so the form is closed.
    return {
      ...withFailure(state, { ...came, outcome: 'later' }),
      view: state.aside ? state.view : null,
    };
  const outcome = failed.length > 0 ? 'some' : 'all';
  return withFailure(state, { ...came, outcome, problem: problemOf(job) });
}

const NOTHING: Pick<Failure, 'failed' | 'gone' | 'later' | 'stopped' | 'more' | 'note' | 'problem'> = {
  failed: [],
  gone: [],
  later: [],
  stopped: [],
  more: null,
  note: null,
  problem: null,
};

function withFailure(state: CourseState, failure: Failure): CourseState {
  return settled({ ...state, running: null, failure, saved: null });
}

/** Deselects finished events; failed ones stay selected (OP-69), and so does the selection for another change. */
function settled(state: CourseState): CourseState {
  const { saved, failure, selected, aside } = state;
  if (aside) return state;
  if (saved !== null) return { ...state, selected: without(selected, namedBy(saved)) };
  if (failure === null || failure.asked.change === 'unmerge') return state;
  const { failed, gone, later, stopped, outcome } = failure;
  const named = namedBy(failure.asked);
  const left = new Set(later.map(({ event }) => event));
  const all = outcome === 'later' ? [] : named.filter((id) => !left.has(id) && !gone.includes(id));
  const undone = new Set([...failed, ...stopped].map(({ event }) => event));
  const reselected = undone.size > 0 ? named.filter((id) => undone.has(id)) : all;
  return { ...state, selected: new Set([...without(selected, named), ...reselected]) };
}

function without(selected: ReadonlySet<number>, named: readonly number[]): ReadonlySet<number> {
  return new Set([...selected].filter((id) => !named.includes(id)));
}

/** Returns the step of the dialog (ZC-24): 1 the form, 2 the progress, 3 success. */
export function stepOf({
  aside,
  running,
  saved,
}: Pick<CourseState, 'aside' | 'running' | 'saved'>): 1 | 2 | 3 {
  if (aside) return 1;
  if (running !== null) return 2;
  return saved === null ? 1 : 3;
}
