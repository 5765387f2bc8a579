import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  DRAFT_PAGE_ROWS,
  type DraftCorrection,
  type DraftGroup,
  type DraftRows,
  draftRows,
  type SisDraft,
  sisDraft,
} from '@lms-admin/contract/sis-drafts';
import { type SisFile, sisFile } from '@lms-admin/contract/sis-files';
import { problemKind } from '@lms-admin/domain/sis-mending';
import { useEffect, useMemo, useReducer } from 'react';
import { getJson, postJson } from '../../../api/client.ts';
import { ApiError, isAbort } from '../../../api/errors.ts';
import { useAnnounce } from '../../../components/Announcer.tsx';
import { type CellEdit, edited, fresh, merged, type ShownRow } from './mending-rows.ts';
import { texts } from './texts.ts';

type Step = DraftCorrection['step'];

interface State {
  draft: SisDraft | null;
  rows: readonly ShownRow[];
  /** Rows that there are of what is shown. */
  total: number;
  /** Only rows of this group, known by what it says: its number changes with every correction. */
  group: string | null;
  page: number;
  busy: 'step' | 'finish' | null;
  error: unknown;
  /** Somebody else was first. */
  conflict: boolean;
}
const EMPTY: State = {
  draft: null,
  rows: [],
  total: 0,
  group: null,
  page: 0,
  busy: null,
  error: null,
  conflict: false,
};

const pathOf = (
  endpoint: 'sisDraft' | 'sisDraftRows' | 'sisDraftCorrections' | 'sisDraftFile' | 'sisDraftCsv',
  id: string,
) => ENDPOINTS[endpoint].replace(':draft', encodeURIComponent(id));

/** The kind of a group, by which it is known through corrections, whichever values are left of it. */
export const groupKey = ({ name, message }: DraftGroup) => `${name}\n${problemKind(message)}`;

export interface MendingWork extends State {
  /** Where the mended file is saved from. */
  csv: string;
  /** Makes a correction; several are made one after the other. */
  apply: (step: Step) => void;
  /** @param stay whether the rows stay where they are once they are right */
  edit: (cells: readonly CellEdit[], stay?: boolean) => void;
  show: (group: DraftGroup | null, page?: number) => void;
  finish: () => void;
  again: () => void;
}

/**
 * A draft that is mended: corrections go to the server one after the other, each made on what the one before has left; single cells
 * that wait are sent together.
 * @param onFinished the mended file has passed the whole check
 * @param onGone the server does not keep the draft any more
 */
export function useMending(id: string, onFinished: (file: SisFile) => void, onGone: () => void): MendingWork {
  const [state, set] = useReducer((now: State, change: (now: State) => State) => change(now), EMPTY);
  const announce = useAnnounce();
  const work = useMemo(() => makeWork(id, set), [id]);
  useEffect(() => work.tell({ onFinished, onGone, announce }));
  useEffect(() => {
    void work.reload();
    return work.stop;
  }, [work]);
  return { ...state, ...work, csv: pathOf('sisDraftCsv', id) };
}

interface Handlers {
  onFinished: (file: SisFile) => void;
  onGone: () => void;
  announce: (text: string) => void;
}

/** A correction on its way. */
interface Waiting {
  step: Step;
  /** Whether the rows that it corrects stay where they are: those of a pasted column make room for the others. */
  stay: boolean;
  /** Kind of the group whose rows are left out: the numbers of groups change with every correction. */
  group: string | null;
}

function makeWork(id: string, set: (change: (now: State) => State) => void) {
  let told: Handlers = { onFinished: () => {}, onGone: () => {}, announce: () => {} };
  let draft: SisDraft | null = null;
  let view = { group: null as string | null, page: 0 };
  let running = false;
  let sending: Step | null = null;
  const waiting: Waiting[] = [];
  let leaving = new AbortController();

  async function rowsNow(of: SisDraft): Promise<DraftRows> {
    const group = view.group === null ? undefined : of.groups.find((one) => groupKey(one) === view.group);
    if (!group) view = { group: null, page: view.group === null ? view.page : 0 };
    const read = (page: number) =>
      getJson(pathOf('sisDraftRows', id), draftRows, {
        query: [['page', String(page)], ...(group ? [['group', String(group.id)] as [string, string]] : [])],
        signal: leaving.signal,
      });
    const rows = await read(view.page);
    if (rows.rows.length > 0 || view.page === 0) return rows;
    view.page = Math.max(0, Math.ceil(rows.total / DRAFT_PAGE_ROWS) - 1);
    return read(view.page);
  }

  async function taken(next: SisDraft, keep: boolean): Promise<void> {
    draft = next;
    const { rows, total } = await rowsNow(next);
    set((now) => ({
      ...now,
      ...view,
      draft: next,
      rows: keep ? merged(now.rows, rows) : fresh(rows),
      total,
      error: null,
    }));
  }

  async function reload(): Promise<void> {
    if (leaving.signal.aborted) leaving = new AbortController();
    try {
      await taken(await getJson(pathOf('sisDraft', id), sisDraft, { signal: leaving.signal }), false);
    } catch (error) {
      failed(error);
    }
  }

  function failed(error: unknown): void {
    if (isAbort(error) || leaving.signal.aborted) return;
    if (error instanceof ApiError && error.code === 'not-found') told.onGone();
    else set((now) => ({ ...now, busy: null, error }));
  }

  /** Takes the next correction; single cells that wait behind each other are one. */
  function nextWaiting(): Waiting | undefined {
    const next = waiting.shift();
    if (next?.step.does !== 'cells' || !next.stay) return next;
    const cells = [...next.step.cells];
    for (let more = waiting[0]; more?.stay && more.step.does === 'cells'; more = waiting[0]) {
      cells.push(...more.step.cells);
      waiting.shift();
    }
    return { ...next, step: { does: 'cells', cells } };
  }

  /** The step as the draft is by now; null where the rows that it is about are gone. */
  function stepNow({ step, group }: Waiting, { groups }: SisDraft): Step | null {
    if (step.does !== 'leave-out-group') return step;
    const named = groups.find((one) => groupKey(one) === group);
    return named ? { ...step, group: named.id } : null;
  }

  async function pump(): Promise<void> {
    if (running) return;
    running = true;
    for (let next = nextWaiting(); next && draft; next = nextWaiting()) {
      const step = stepNow(next, draft);
      if (step === null) continue;
      sending = step;
      set((now) => ({ ...now, busy: 'step', conflict: false, error: null }));
      try {
        const body: DraftCorrection = { version: draft.version, step };
        const answer = await postJson(pathOf('sisDraftCorrections', id), body, sisDraft, {
          signal: leaving.signal,
        });
        await taken(answer, step.does === 'cells' && next.stay);
        told.announce(texts.left(answer.wrong));
      } catch (error) {
        // What was not answered may have been made: its repeat is then told apart by its version.
        if (error instanceof ApiError && error.code === 'unreachable') waiting.unshift(next);
        else waiting.length = 0;
        const conflict = error instanceof ApiError && error.code === 'conflict';
        failed(error);
        if (conflict) {
          await reload();
          set((now) => ({ ...now, conflict: true }));
        }
        break;
      }
    }
    running = false;
    sending = null;
    set((now) => ({ ...now, busy: null }));
  }

  return {
    reload,
    tell(next: Handlers) {
      told = next;
    },
    stop: () => leaving.abort(),
    apply(step: Step) {
      // The second press of a double one, or 'undo' before the last correction has been made, is not meant.
      const before = waiting.at(-1)?.step ?? sending;
      const twice = before !== null && JSON.stringify(before) === JSON.stringify(step);
      if (twice || (step.does === 'undo' && running)) return;
      const group = step.does === 'leave-out-group' && draft?.groups.find((one) => one.id === step.group);
      waiting.push({ step, stay: false, group: group ? groupKey(group) : null });
      void pump();
    },
    edit(cells: readonly CellEdit[], stay = true) {
      set((now) => ({ ...now, rows: edited(now.rows, cells) }));
      waiting.push({ step: { does: 'cells', cells: [...cells] }, stay, group: null });
      void pump();
    },
    show(group: DraftGroup | null, page = 0) {
      view = { group: group === null ? null : groupKey(group), page };
      if (draft) void taken(draft, false).catch(failed);
    },
    finish() {
      if (!draft || running) return;
      running = true;
      set((now) => ({ ...now, busy: 'finish', error: null, conflict: false }));
      postJson(pathOf('sisDraftFile', id), { version: draft.version }, sisFile, { signal: leaving.signal })

        .then(
          (file) => told.onFinished(file),
          async (error: unknown) => {
            // The draft tells what the whole check has found.
            if (error instanceof ApiError && (error.draft !== null || error.code === 'conflict')) {
              await reload();
              told.announce(texts.left(draft?.wrong ?? 0));
            } else failed(error);
          },
        )
        .finally(() => {
          running = false;
          set((now) => ({ ...now, busy: null }));
        });
    },
    again() {
      set((now) => ({ ...now, error: null }));
      if (waiting.length > 0) void pump();
      else void reload();
    },
  };
}
