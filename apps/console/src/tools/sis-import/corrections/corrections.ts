/**
 * The corrections of one draft: they go to the server one after the other, each made on what the one before has left; single
 * cells that wait are sent together.
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
import { problemKind } from '@lms-admin/domain/sis-corrections';
import { getJson, postJson } from '../../../api/client.ts';
import { ApiError, isAbort } from '../../../api/errors.ts';
import { type CellEdit, edited, fresh, merged, type ShownRow } from './correction-rows.ts';
import { texts } from './texts.ts';
import { keepUnsent, readUnsent, type Waiting } from './unsent.ts';

export type Step = DraftCorrection['step'];

export interface CorrectionState {
  draft: SisDraft | null;
  rows: readonly ShownRow[];
  /** Rows that there are of what is shown. */
  total: number;
  /** Only rows of this group, known by what it says: its number changes with every correction. */
  group: string | null;
  /** Whether the corrected rows are shown in the place of those with problems. */
  corrected: boolean;
  /** What of the last paste was not used; empty for all of it. */
  left: string;
  page: number;
  busy: 'step' | 'finish' | null;
  error: unknown;
  /** Someone else was first. */
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

/** The kind of a group, by which it is known through corrections, whichever values are left of it. */
export const groupKey = ({ name, message }: DraftGroup) => `${name}\n${problemKind(message)}`;

export interface Handlers {
  onFinished: (file: SisFile) => void;
  onGone: () => void;
  announce: (text: string) => void;
}

/** Takes the next correction; single cells that wait behind each other are one, unless they have been sent already. */
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

/** The step as the draft is now; null where the rows that it is about are gone. */
function stepNow({ step, group, sent }: Waiting, { groups }: SisDraft): Step | null {
  if (step.does !== 'leave-out-group' || sent !== null) return step;
  const named = groups.find((one) => groupKey(one) === group);
  return named ? { ...step, group: named.id } : null;
}

/** Refusals of the correction itself: its repeat would be refused, too. After any other failure it can still be made. */
const REFUSED: readonly ApiError['code'][] = [
  'bad-request',
  'conflict',
  'not-found',
  'not-allowed',
  'too-large',
];

const isCode = (error: unknown, code: ApiError['code']) => error instanceof ApiError && error.code === code;
const isRefused = (error: unknown) => error instanceof ApiError && REFUSED.includes(error.code);

/** Whether nothing is wrong that the rows show: then the whole file can be checked. */
export const isReady = ({ wrong, header }: SisDraft) => wrong === 0 && header.length === 0;

export class Corrections {
  readonly #id: string;
  readonly #set: (change: (now: CorrectionState) => CorrectionState) => void;
  #told: Handlers = { onFinished: () => {}, onGone: () => {}, announce: () => {} };
  #draft: SisDraft | null = null;
  #view: Pick<CorrectionState, 'group' | 'page' | 'corrected'> = { group: null, page: 0, corrected: false };
  #running = false;
  #finishing = false;
  /** Whether the whole check was asked for while a correction was being made. */
  #finishNext = false;
  #sending: Waiting | null = null;
  readonly #waiting: Waiting[];
  #leaving = new AbortController();

  /** @param set changes what the screen shows */
  constructor(id: string, set: (change: (now: CorrectionState) => CorrectionState) => void) {
    this.#id = id;
    this.#set = set;
    this.#waiting = readUnsent(id);
  }

  /** Who is told what comes of it. */
  tell(next: Handlers): void {
    this.#told = next;
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
      // What a session that ended, or a reload, has left is made now.
      if (this.#waiting.length > 0) void this.#sendAll();
    } catch (error) {
      this.#failed(error);
    }
  }

  apply(step: Step): void {
    // The second press of a double one, or 'undo' before the last correction has been made, is not meant.
    const before = this.#waiting.at(-1)?.step ?? this.#sending?.step;
    const twice = before !== undefined && JSON.stringify(before) === JSON.stringify(step);
    if (twice || (step.does === 'undo' && this.#running)) return;
    const group = step.does === 'leave-out-group' && this.#draft?.groups.find((one) => one.id === step.group);
    const key = group ? groupKey(group) : null;
    this.#waiting.push({ step, single: false, group: key, left: '', sent: null });
    void this.#sendAll();
  }

  /** @param left what of a pasted column was not used; null for a single cell */
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

  /** Checks the whole file, once what was typed last has been corrected. */
  finish(): void {
    if (!this.#draft) return;
    if (this.#running) {
      this.#finishNext = !this.#finishing;
      return;
    }
    // The file would be checked without what waits.
    if (this.#waiting.length > 0) return this.again();
    this.#running = true;
    this.#finishing = true;
    this.#set((now) => ({ ...now, busy: 'finish', error: null, conflict: false }));
    void this.#check(this.#draft).finally(() => {
      this.#running = false;
      this.#finishing = false;
      this.#set((now) => ({ ...now, busy: null }));
    });
  }

  again(): void {
    this.#set((now) => ({ ...now, error: null }));
    if (this.#waiting.length > 0) void this.#sendAll();
    else void this.reload();
  }

  #failed(error: unknown): void {
    if (isAbort(error) || this.#leaving.signal.aborted) return;
    if (isCode(error, 'not-found')) {
      this.#waiting.length = 0;
      keepUnsent(this.#id, []);
      this.#told.onGone();
    } else this.#set((now) => ({ ...now, busy: null, error }));
  }

  /** Shows a draft. @param keep whether rows stay where they are */
  async #take(draft: SisDraft, keep: boolean): Promise<void> {
    this.#draft = draft;
    // Where nothing is wrong, the corrected rows can be looked at again.
    if (!keep) this.#view.corrected ||= draft.wrong === 0;
    this.#view.corrected &&= draft.corrected > 0;
    const { rows, total } = await this.#rowsOf(draft);
    // What waits has been typed, and is not in the answer yet.
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

  /** The rows to show; of the last page there is, where the page looked at is no more. */
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

  /** Sends what waits, until nothing does or something fails. */
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
    // It has been made, also where its rows cannot be read now.
    this.#sending = null;
    await this.#take(answer, step.does === 'cells');
    this.#told.announce(texts.left(answer));
  }

  /** Keeps what no answer has come for. */
  #keep(): void {
    keepUnsent(this.#id, this.#sending === null ? this.#waiting : [this.#sending, ...this.#waiting]);
  }

  async #notSent(error: unknown, sent: Waiting): Promise<void> {
    // What was not answered may have been made: its repeat is then known by its key.
    if (isRefused(error)) this.#waiting.length = 0;
    else if (this.#sending !== null) this.#waiting.unshift(sent);
    this.#failed(error);
    if (!isCode(error, 'conflict')) return;
    await this.reload();
    this.#set((now) => ({ ...now, conflict: true }));
  }

  /** The whole check of the corrected file. */
  async #check({ version }: SisDraft): Promise<void> {
    const { signal } = this.#leaving;
    let file: SisFile;
    try {
      file = await postJson(pathOf('sisDraftFile', this.#id), { version }, sisFile, { signal });
    } catch (error) {
      // The draft tells what the whole check has found.
      if (error instanceof ApiError && (error.draft !== null || error.code === 'conflict')) {
        await this.reload();
        if (this.#draft) this.#told.announce(texts.left(this.#draft));
      } else this.#failed(error);
      return;
    }
    this.#told.onFinished(file);
  }
}
