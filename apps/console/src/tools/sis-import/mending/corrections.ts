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
import { problemKind } from '@lms-admin/domain/sis-mending';
import { getJson, postJson } from '../../../api/client.ts';
import { ApiError, isAbort } from '../../../api/errors.ts';
import { type CellEdit, edited, fresh, merged, type ShownRow } from './mending-rows.ts';
import { texts } from './texts.ts';

export type Step = DraftCorrection['step'];

export interface MendingState {
  draft: SisDraft | null;
  rows: readonly ShownRow[];
  /** Rows that there are of what is shown. */
  total: number;
  /** Only rows of this group, known by what it says: its number changes with every correction. */
  group: string | null;
  page: number;
  busy: 'step' | 'finish' | null;
  error: unknown;
  /** Someone else was first. */
  conflict: boolean;
}

export const NO_DRAFT: MendingState = {
  draft: null,
  rows: [],
  total: 0,
  group: null,
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

/** A correction on its way. */
interface Waiting {
  step: Step;
  /** Whether the rows that it corrects stay where they are: those of a pasted column make room for the others. */
  stay: boolean;
  /** Kind of the group whose rows are left out: the numbers of groups change with every correction. */
  group: string | null;
}

/** Takes the next correction; single cells that wait behind each other are one. */
function takeNext(waiting: Waiting[]): Waiting | undefined {
  const next = waiting.shift();
  if (next?.step.does !== 'cells' || !next.stay) return next;
  const cells = [...next.step.cells];
  for (let more = waiting[0]; more?.stay && more.step.does === 'cells'; more = waiting[0]) {
    cells.push(...more.step.cells);
    waiting.shift();
  }
  return { ...next, step: { does: 'cells', cells } };
}

/** The step as the draft is now; null where the rows that it is about are gone. */
function stepNow({ step, group }: Waiting, { groups }: SisDraft): Step | null {
  if (step.does !== 'leave-out-group') return step;
  const named = groups.find((one) => groupKey(one) === group);
  return named ? { ...step, group: named.id } : null;
}

const isCode = (error: unknown, code: ApiError['code']) => error instanceof ApiError && error.code === code;

export class Corrections {
  readonly #id: string;
  readonly #set: (change: (now: MendingState) => MendingState) => void;
  #told: Handlers = { onFinished: () => {}, onGone: () => {}, announce: () => {} };
  #draft: SisDraft | null = null;
  #view: Pick<MendingState, 'group' | 'page'> = { group: null, page: 0 };
  #running = false;
  #sending: Step | null = null;
  readonly #waiting: Waiting[] = [];
  #leaving = new AbortController();

  /** @param set changes what the screen shows */
  constructor(id: string, set: (change: (now: MendingState) => MendingState) => void) {
    this.#id = id;
    this.#set = set;
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
    } catch (error) {
      this.#failed(error);
    }
  }

  apply(step: Step): void {
    // The second press of a double one, or 'undo' before the last correction has been made, is not meant.
    const before = this.#waiting.at(-1)?.step ?? this.#sending;
    const twice = before !== null && JSON.stringify(before) === JSON.stringify(step);
    if (twice || (step.does === 'undo' && this.#running)) return;
    const group = step.does === 'leave-out-group' && this.#draft?.groups.find((one) => one.id === step.group);
    this.#waiting.push({ step, stay: false, group: group ? groupKey(group) : null });
    void this.#sendAll();
  }

  edit(cells: readonly CellEdit[], stay = true): void {
    this.#set((now) => ({ ...now, rows: edited(now.rows, cells) }));
    this.#waiting.push({ step: { does: 'cells', cells: [...cells] }, stay, group: null });
    void this.#sendAll();
  }

  show(group: DraftGroup | null, page = 0): void {
    this.#view = { group: group === null ? null : groupKey(group), page };
    if (this.#draft) void this.#take(this.#draft, false).catch((error: unknown) => this.#failed(error));
  }

  finish(): void {
    if (!this.#draft || this.#running) return;
    this.#running = true;
    this.#set((now) => ({ ...now, busy: 'finish', error: null, conflict: false }));
    void this.#check(this.#draft).finally(() => {
      this.#running = false;
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
    if (isCode(error, 'not-found')) this.#told.onGone();
    else this.#set((now) => ({ ...now, busy: null, error }));
  }

  /** Shows a draft. @param keep whether rows stay where they are */
  async #take(draft: SisDraft, keep: boolean): Promise<void> {
    this.#draft = draft;
    const { rows, total } = await this.#rowsOf(draft);
    this.#set((now) => ({
      ...now,
      ...this.#view,
      draft,
      rows: keep ? merged(now.rows, rows) : fresh(rows),
      total,
      error: null,
    }));
  }

  /** The rows to show; of the last page there is, where the page looked at is no more. */
  async #rowsOf({ groups }: SisDraft): Promise<DraftRows> {
    const key = this.#view.group;
    const group = key === null ? undefined : groups.find((one) => groupKey(one) === key);
    if (!group) this.#view = { group: null, page: key === null ? this.#view.page : 0 };
    const read = (page: number) =>
      getJson(pathOf('sisDraftRows', this.#id), draftRows, {
        query: [['page', String(page)], ...(group ? [['group', String(group.id)] as [string, string]] : [])],
        signal: this.#leaving.signal,
      });
    const rows = await read(this.#view.page);
    if (rows.rows.length > 0 || this.#view.page === 0) return rows;
    this.#view.page = Math.max(0, Math.ceil(rows.total / DRAFT_PAGE_ROWS) - 1);
    return read(this.#view.page);
  }

  /** Sends what waits, until nothing does or something fails. */
  async #sendAll(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let next = takeNext(this.#waiting); next && this.#draft; next = takeNext(this.#waiting)) {
      const step = stepNow(next, this.#draft);
      if (step === null) continue;
      this.#sending = step;
      this.#set((now) => ({ ...now, busy: 'step', conflict: false, error: null }));
      try {
        await this.#send(this.#draft, step, next.stay);
      } catch (error) {
        await this.#notSent(error, next);
        break;
      }
    }
    this.#running = false;
    this.#sending = null;
    this.#set((now) => ({ ...now, busy: null }));
  }

  async #send({ version }: SisDraft, step: Step, stay: boolean): Promise<void> {
    const body: DraftCorrection = { version, step };
    const { signal } = this.#leaving;
    const answer = await postJson(pathOf('sisDraftCorrections', this.#id), body, sisDraft, { signal });
    await this.#take(answer, step.does === 'cells' && stay);
    this.#told.announce(texts.left(answer.wrong));
  }

  async #notSent(error: unknown, sent: Waiting): Promise<void> {
    // What was not answered may have been made: its repeat is then told apart by its version.
    if (isCode(error, 'unreachable')) this.#waiting.unshift(sent);
    else this.#waiting.length = 0;
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
        this.#told.announce(texts.left(this.#draft?.wrong ?? 0));
      } else this.#failed(error);
      return;
    }
    this.#told.onFinished(file);
  }
}
