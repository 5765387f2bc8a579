/**
 * The uploads of this page. They belong to the page, not the screen: if the administrator opens another tool, the
 * upload continues, and the images are still here on returning.
 */
import type { ImageUploadAnswer, ImageUploadRequest } from '@lms-admin/contract/images';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { ApiError, isAbort } from '../../api/errors.ts';
import { imagesChanged, uploadImage } from '../../api/images.ts';
import { jobsChanged } from '../../api/jobs.ts';
import { readStored, writeStored } from '../../api/stored-state.ts';
import type { UploadOptions } from '../../api/upload.ts';
import { percent } from '../../components/Job/pace.ts';
import { texts } from './texts.ts';
import {
  type ImageRow,
  isTaken,
  NOTHING,
  nextState,
  openRows,
  type UploadEvent,
  type UploadState,
} from './upload-state.ts';

/** Number of concurrent uploads. */
const AT_ONCE = 4;
/** Milliseconds to wait before trying again if the server is too busy, and the maximum number of attempts. */
const BUSY_MS = 4_000;
const BUSY_TIMES = 20;

type Send = (request: ImageUploadRequest, options: UploadOptions) => Promise<ImageUploadAnswer>;

export class UploadWork {
  readonly #send: Send;
  readonly #busyMs: number;
  readonly #watchers = new Set<() => void>();
  #state: UploadState = NOTHING;
  #stopping: AbortController | null = null;

  constructor(send: Send = uploadImage, busyMs = BUSY_MS) {
    this.#send = send;
    this.#busyMs = busyMs;
  }

  readonly get = (): UploadState => this.#state;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  };

  readonly apply = (event: UploadEvent): void => {
    const next = nextState(this.#state, event);
    if (next === this.#state) return;
    this.#state = next;
    for (const watcher of this.#watchers) watcher();
  };

  readonly has = (mark: string): boolean => isTaken(this.#state, mark);

  /** Uploads all remaining images; resolves when each has succeeded or failed. A second press does nothing. */
  async press(): Promise<void> {
    if (this.#state.phase !== 'NEW' || openRows(this.#state).length === 0) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    // Shared by all images that a press sends for the first time: they are one entry in the list of jobs.
    const press = crypto.randomUUID();
    this.apply({ type: 'press' });
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(press, stopping.signal)));
  }

  /** Stops the current upload. Unfinished images wait for the next press. */
  stop(): void {
    this.#stopping?.abort();
    this.apply({ type: 'stop' });
  }

  async #work(press: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { run, rows } = this.#state;
      const row = rows.find(({ id, state }) => state.at === 'waiting' && run.includes(id));
      if (row === undefined || signal.aborted) return;
      const upload = row.upload ?? press;
      this.apply({ type: 'started', id: row.id, upload });
      await this.#bringIn(row, upload, signal);
    }
  }

  async #bringIn({ id, name, file }: ImageRow, upload: string, signal: AbortSignal): Promise<void> {
    const sent = (share: number | null) => {
      if (!signal.aborted) this.apply({ type: 'sent', id, percent: share });
    };
    for (let times = 1; ; times++) {
      try {
        const answer = await this.#send(
          { name, file, upload },
          { signal, onSent: (done, total) => sent(percent({ done, total })), onArrived: () => sent(null) },
        );
        if (!signal.aborted) this.apply({ type: 'uploaded', id, answer });
        return;
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        const code = error instanceof ApiError ? error.code : null;
        // The session has ended, so every other upload would also fail.
        if (code === 'signed-out') return this.stop();
        if (code !== 'busy' || times >= BUSY_TIMES) {
          this.apply({ type: 'failed', id, ...wordsOf(error) });
          return;
        }
        await pause(this.#busyMs, signal);
      }
    }
  }
}

function wordsOf(error: unknown): { message: string; next: string } {
  const { message, next } =
    error instanceof ApiError ? error : { message: texts.actions.unread, next: texts.actions.unreadNext };
  return { message, next };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export const work = new UploadWork();

/** Returns the current state; renders again when it changes. */
export function useUploadState(): UploadState {
  return useSyncExternalStore(work.watch, work.get);
}

/** The part that survives a reload: names only. */
const names = z.array(z.string().max(300)).max(1_000);
export const shape = { open: names, onWay: names };
interface Open {
  /** Names of images that are in the list but have not been sent. */
  open: string[];
  /** Names of images that were sent but not answered, so the server may have them. */
  onWay: string[];
}
const NONE: Open = { open: [], onWay: [] };

/** Names of images in the list that were not uploaded when the page was reloaded: their files are lost with it. */
export const LOST: Open = readStored('images', shape, NONE);
const rememberOpen = (open: Open): void => writeStored('images', open, null);
/** Clears the lost names once the notice has been read. */
export const forgetLost = (): void => rememberOpen(openNames(work.get()));

const stay = (event: BeforeUnloadEvent) => event.preventDefault();
let before = NOTHING;

work.watch(() => {
  const now = work.get();
  const [was, is] = [before.phase, now.phase];
  const others = before.rows !== now.rows;
  before = now;
  if (was !== is) {
    // Makes the browser ask for confirmation if the page is left during an upload.
    if (is === 'UPLOADING') window.addEventListener('beforeunload', stay);
    else window.removeEventListener('beforeunload', stay);
  }
  if (was === 'UPLOADING' && is !== 'UPLOADING') {
    imagesChanged();
    jobsChanged();
  }
  if (others) rememberOpen(openNames(now));
});

function openNames({ rows }: UploadState): Open {
  const isOnWay = ({ state }: ImageRow) => state.at === 'uploading';
  const open = rows.filter(({ state }) => state.at !== 'uploaded');
  return {
    open: open.filter((row) => !isOnWay(row)).map(({ name }) => name),
    onWay: open.filter(isOnWay).map(({ name }) => name),
  };
}

/** Starts again by reloading the page (IMG-10); the images do not count as lost, because this is intentional. */
export function startOver(): void {
  work.stop();
  window.removeEventListener('beforeunload', stay);
  rememberOpen(NONE);
  window.location.reload();
}
