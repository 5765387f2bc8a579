/**
 * The corrections of one draft: sent to the server one after the other, each based on the result of the previous one;
 * waiting single cells are sent together.
 */
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
import { getJson, postJson } from '../../../api/client.ts';
import { ApiError, isAbort } from '../../../api/errors.ts';
import { type CellEdit, edited, fresh, merged, type ShownRow } from './correction-rows.ts';
import { texts } from './texts.ts';
import { keepUnsent, readUnsent, type Waiting } from './unsent.ts';

export type Step = DraftCorrection['step'];

export interface CorrectionState {
  draft: SisDraft | null;
  rows: readonly ShownRow[];
  /** The number of matching rows. */
  total: number;
  /** Only rows of this group, identified by its problem: its number changes with every correction. */
  group: string | null;
  /** Whether the corrected rows are shown in place of those with problems. */
  corrected: boolean;
  /** The unused part of the last paste; empty if all of it was used. */
  left: string;
  page: number;
  busy: 'step' | 'finish' | null;
  error: unknown;
  /** A correction from elsewhere, such as another tab, came first. */
  conflict: boolean;
}

export const NO_DRAFT: CorrectionState = {
  draft: null,
  rows: [],
  total: 0,
  group: null,
  corrected: false,
  left: '',
  page: 0,
  busy: null,
  error: null,
  conflict: false,
};

export const pathOf = (
  endpoint: 'sisDraft' | 'sisDraftRows' | 'sisDraftCorrections' | 'sisDraftFile' | 'sisDraftCsv',
  id: string,
) => ENDPOINTS[endpoint].replace(':draft', encodeURIComponent(id));

/** Identifies a group by its kind, which stays the same when corrections change its values. */
export const groupKey = ({ name, message, kind }: DraftGroup) => `${name}\n${kind ?? message}`;

export interface Handlers {
  onFinished: (file: SisFile) => void;
  onGone: () => void;
  announce: (text: string) => void;
}

/** Takes the next correction; consecutive single cells are combined, unless they have been sent already. */
function takeNext(waiting: Waiting[]): Waiting | undefined {
  const next = waiting.shift();
  if (next?.step.does !== 'cells' || !next.single || next.sent !== null) return next;
  const cells = [...next.step.cells];
  for (let more = waiting[0]; more?.single && more.step.does === 'cells'; more = waiting[0]) {
    cells.push(...more.step.cells);
    waiting.shift();
  }
  return { ...next, step: { does: 'cells', cells } };
}

/** Adapts the step to the current draft; null if its rows do not exist in that draft. */
function stepNow({ step, group, sent }: Waiting, { groups }: SisDraft): Step | null {
  if (step.does !== 'leave-out-group' || sent !== null) return step;
  const named = groups.find((one) => groupKey(one) === group);
  return named ? { ...step, group: named.id } : null;
}

/**
 * Errors in the correction itself, which would occur again. After any other failure, the correction can be repeated.
 */
const REFUSED: readonly ApiError['code'][] = [
  'bad-request',
  'conflict',
  'not-found',
  'not-allowed',
  'too-large',
];

const isCode = (error: unknown, code: ApiError['code']) => error instanceof ApiError && error.code === code;
const isRefused = (error: unknown) => error instanceof ApiError && REFUSED.includes(error.code);

/** Tells whether no listed row has a problem, so that the whole file can be checked. */
export const isReady = ({ wrong, header }: SisDraft) => wrong === 0 && header.length === 0;

export class Corrections {
  readonly #id: string;
  readonly #set: (change: (now: CorrectionState) => CorrectionState) => void;
  #handlers: Handlers = { onFinished: () => {}, onGone: () => {}, announce: () => {} };
  #draft: SisDraft | null = null;
  #view: Pick<CorrectionState, 'group' | 'page' | 'corrected'> = { group: null, page: 0, corrected: false };
  #running = false;
  #finishing = false;
  /** Whether the full check was requested during a correction. */
  #finishNext = false;
  #sending: Waiting | null = null;
  readonly #waiting: Waiting[];
  #leaving = new AbortController();

  /** @param set changes the displayed state */
  constructor(id: string, set: (change: (now: CorrectionState) => CorrectionState) => void) {
    this.#id = id;
    this.#set = set;
    this.#waiting = readUnsent(id);
  }

  /** Sets the handlers for results. */
  tell(next: Handlers): void {
    this.#handlers = next;
  }

  stop(): void {
    this.#leaving.abort();
  }

  async reload(): Promise<void> {
    if (this.#leaving.signal.aborted) this.#leaving = new AbortController();
    const { signal } = this.#leaving;
    try {
      await this.#take(await getJson(pathOf('sisDraft', this.#id), sisDraft, { signal }), false);
      const left = this.#waiting.findLast((one) => one.left !== '')?.left;
      if (left !== undefined) this.#set((now) => ({ ...now, left }));
      // Sends corrections that were left unsent by an expired session or a reload.
      if (this.#waiting.length > 0) void this.#sendAll();
    } catch (error) {
      this.#failed(error);
    }
  }

  apply(step: Step): void {
    // Ignores the second press of a double press, and an undo before the last correction has been made.
    const before = this.#waiting.at(-1)?.step ?? this.#sending?.step;
    const twice = before !== undefined && JSON.stringify(before) === JSON.stringify(step);
    if (twice || (step.does === 'undo' && this.#running)) return;
    const group = step.does === 'leave-out-group' && this.#draft?.groups.find((one) => one.id === step.group);
    const key = group ? groupKey(group) : null;
    this.#waiting.push({ step, single: false, group: key, left: '', sent: null });
    void this.#sendAll();
  }

  /** @param left the unused part of a pasted column; null for a single cell */
  edit(cells: readonly CellEdit[], left: string | null = null): void {
    const single = left === null;
    this.#set((now) => ({ ...now, rows: edited(now.rows, cells), left: left ?? now.left }));
    const step = { does: 'cells' as const, cells: [...cells] };
    this.#waiting.push({ step, single, group: null, left: left ?? '', sent: null });
    void this.#sendAll();
  }

  show(group: DraftGroup | null, page = 0, corrected = false): void {
    this.#view = { group: group === null ? null : groupKey(group), page, corrected };
    if (this.#draft) void this.#take(this.#draft, false).catch((error: unknown) => this.#failed(error));
  }

  /** Checks the whole file, once the latest entries have been corrected. */
  finish(): void {
    if (!this.#draft) return;
    if (this.#running) {
      this.#finishNext = !this.#finishing;
      return;
    }
    // The file would be checked without the waiting corrections.
    if (this.#waiting.length > 0) return this.retry();
    this.#running = true;
    this.#finishing = true;
    this.#set((now) => ({ ...now, busy: 'finish', error: null, conflict: false }));
    void this.#check(this.#draft).finally(() => {
      this.#running = false;
      this.#finishing = false;
      this.#set((now) => ({ ...now, busy: null }));
    });
  }

  retry(): void {
    this.#set((now) => ({ ...now, error: null }));
    if (this.#waiting.length > 0) void this.#sendAll();
    else void this.reload();
  }

  #failed(error: unknown): void {
    if (isAbort(error) || this.#leaving.signal.aborted) return;
    if (isCode(error, 'not-found')) {
      this.#waiting.length = 0;
      keepUnsent(this.#id, []);
      this.#handlers.onGone();
    } else this.#set((now) => ({ ...now, busy: null, error }));
  }

  /** Shows a draft. @param keep whether rows keep their positions */
  async #take(draft: SisDraft, keep: boolean): Promise<void> {
    this.#draft = draft;
    // If no problem remains, the corrected rows can be shown again.
    if (!keep) this.#view.corrected ||= draft.wrong === 0;
    this.#view.corrected &&= draft.corrected > 0;
    const { rows, total } = await this.#rowsOf(draft);
    // Waiting cells have been typed, but are not in the answer yet.
    const cells = this.#waiting.flatMap(({ step }) => (step.does === 'cells' ? step.cells : []));
    this.#set((now) => ({
      ...now,
      ...this.#view,
      draft,
      rows: edited(keep ? merged(now.rows, rows, draft.columns) : fresh(rows), cells),
      total,
      error: null,
    }));
  }

  /** Loads the rows to show; those of the last page if the current page does not exist. */
  async #rowsOf({ groups }: SisDraft): Promise<DraftRows> {
    const { group: key, corrected } = this.#view;
    const group = key === null ? undefined : groups.find((one) => groupKey(one) === key);
    if (!group) this.#view = { group: null, page: key === null ? this.#view.page : 0, corrected };
    const read = (page: number) =>
      getJson(pathOf('sisDraftRows', this.#id), draftRows, {
        query: [
          ['page', String(page)],
          ...(group ? [['group', String(group.id)] as [string, string]] : []),
          ...(corrected ? [['corrected', 'true'] as [string, string]] : []),
        ],
        signal: this.#leaving.signal,
      });
    const rows = await read(this.#view.page);
    if (rows.rows.length > 0 || this.#view.page === 0) return rows;
    this.#view.page = Math.max(0, Math.ceil(rows.total / DRAFT_PAGE_ROWS) - 1);
    return read(this.#view.page);
  }

  /** Sends the waiting corrections, until none is left or one fails. */
  async #sendAll(): Promise<void> {
    if (this.#draft === null) return;
    this.#keep();
    if (this.#running) return;
    this.#running = true;
    for (let next = takeNext(this.#waiting); next; next = takeNext(this.#waiting)) {
      const step = stepNow(next, this.#draft);
      if (step === null) continue;
      const sent = next.sent ?? { key: crypto.randomUUID(), version: this.#draft.version };
      const sending = { ...next, step, sent };
      this.#sending = sending;
      this.#keep();
      this.#set((now) => ({ ...now, busy: 'step', conflict: false, error: null }));
      try {
        await this.#send(sending, { ...sent, step });
      } catch (error) {
        await this.#notSent(error, sending);
        break;
      }
    }
    this.#running = false;
    this.#sending = null;
    this.#keep();
    this.#set((now) => ({ ...now, busy: null }));
    const finishes = this.#finishNext && this.#waiting.length === 0 && isReady(this.#draft);
    this.#finishNext = false;
    if (finishes) this.finish();
  }

  async #send({ step }: Waiting, body: DraftCorrection): Promise<void> {
    const { signal } = this.#leaving;
    const answer = await postJson(pathOf('sisDraftCorrections', this.#id), body, sisDraft, { signal });
    // The correction has been made, even if its rows cannot be read now.
    this.#sending = null;
    await this.#take(answer, step.does === 'cells');
    this.#handlers.announce(texts.left(answer));
  }

  /** Stores the unanswered corrections. */
  #keep(): void {
    keepUnsent(this.#id, this.#sending === null ? this.#waiting : [this.#sending, ...this.#waiting]);
  }

  async #notSent(error: unknown, sent: Waiting): Promise<void> {
    // An unanswered correction may have been made: the server then recognises its repeat by the key.
    if (isRefused(error)) this.#waiting.length = 0;
    else if (this.#sending !== null) this.#waiting.unshift(sent);
    this.#failed(error);
    if (!isCode(error, 'conflict')) return;
    await this.reload();
    this.#set((now) => ({ ...now, conflict: true }));
  }

  /** Runs the full check of the corrected file. */
  async #check({ version }: SisDraft): Promise<void> {
    const { signal } = this.#leaving;
    let file: SisFile;
    try {
      file = await postJson(pathOf('sisDraftFile', this.#id), { version }, sisFile, { signal });
    } catch (error) {
      // The draft contains the results of the full check.
      if (error instanceof ApiError && (error.draft !== null || error.code === 'conflict')) {
        await this.reload();
        if (this.#draft) this.#handlers.announce(texts.left(this.#draft));
      } else this.#failed(error);
      return;
    }
    this.#handlers.onFinished(file);
  }
}
