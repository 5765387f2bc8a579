/** The states of the images on this screen: NEW → UPLOADING → UPLOADED (IMG-11, OP-95). Pure. */
import type { ImageUploadAnswer, StoredImage } from '@lms-admin/contract/images';
import type { NotTaken } from '@lms-admin/domain/emails';

export type Phase = 'NEW' | 'UPLOADING' | 'UPLOADED';

/** A picture that fits, as it will be sent. */
export interface Picture {
  name: string;
  /** Size of the file itself, not of its data URL. */
  bytes: number;
  /** Data URL: the displayed picture is the one that is sent. */
  file: string;
  /** Mark of the chosen file: the same file is not added twice. */
  mark: string;
}

/** `percent` is null once everything has been sent and the server is working on it. */
export type RowState =
  | { at: 'waiting' }
  | { at: 'uploading'; percent: number | null }
  | { at: 'uploaded'; image: StoredImage; removed: string | null }
  | { at: 'failed'; message: string; next: string };

export interface ImageRow extends Picture {
  id: number;
  /** Number in the table, from 1. */
  number: number;
  /**
   * ID of the press that first sent the image, so that a repeat belongs to the same entry in Activity; null before
   * that.
   */
  upload: string | null;
  state: RowState;
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The result of shrinking: a picture that fits, with its old and new size, or why the picture cannot be shrunk. */
export type ShrinkResult =
  | { at: 'shrunk'; picture: Omit<Picture, 'mark'>; from: Size; to: Size }
  | { at: 'impossible'; why: string };

/** A file that is too large, with the result of shrinking it. */
export interface LargeFile {
  id: number;
  name: string;
  bytes: number;
  mark: string;
  source: Blob;
  shrink: { at: 'offered' } | { at: 'working' } | ShrinkResult;
}

export interface UploadState {
  phase: Phase;
  rows: readonly ImageRow[];
  /** IDs of the images that the press of 'Upload Images' still has to upload. */
  run: readonly number[];
  /** How many images the press had to upload. */
  pressed: number;
  large: readonly LargeFile[];
  refused: readonly NotTaken[];
  /** ID of the next file or picture. */
  nextId: number;
}

export const NOTHING: UploadState = {
  phase: 'NEW',
  rows: [],
  run: [],
  pressed: 0,
  large: [],
  refused: [],
  nextId: 1,
};

export type UploadEvent =
  | { type: 'add'; pictures: readonly Picture[] }
  | { type: 'remove'; id: number }
  | { type: 'press' }
  | { type: 'started'; id: number; upload: string }
  | { type: 'sent'; id: number; percent: number | null }
  | { type: 'uploaded'; id: number; answer: Pick<ImageUploadAnswer, 'image' | 'removed'> }
  | { type: 'failed'; id: number; message: string; next: string }
  /** Stops the upload: images not yet uploaded wait for the next press. */
  | { type: 'stop' }
  | { type: 'refuse'; pieces: readonly NotTaken[] }
  | { type: 'dismiss' }
  | { type: 'large'; files: readonly Pick<LargeFile, 'name' | 'bytes' | 'mark' | 'source'>[] }
  | { type: 'shrink'; id: number; shrink: LargeFile['shrink'] }
  | { type: 'leave'; ids: readonly number[] }
  | { type: 'take'; ids: readonly number[] };

/** Lists the rows that a press would send: new and failed ones. */
export function openRows({ rows }: Pick<UploadState, 'rows'>): readonly ImageRow[] {
  return rows.filter(({ state }) => state.at === 'waiting' || state.at === 'failed');
}

export function isTaken({ rows, large }: UploadState, mark: string): boolean {
  return rows.some((row) => row.mark === mark) || large.some((file) => file.mark === mark);
}

/** Returns the next state; an event that does not fit the state changes nothing. */
export function nextState(state: UploadState, event: UploadEvent): UploadState {
  switch (event.type) {
    case 'add':
      return withPictures(state, event.pictures);
    case 'remove': {
      const row = state.rows.find(({ id }) => id === event.id);
      if (row === undefined || row.state.at === 'uploading' || row.state.at === 'uploaded') return state;
      const pressed = state.run.includes(event.id) ? state.pressed - 1 : state.pressed;
      const rows = numbered(state.rows.filter((one) => one !== row));
      return settled({ ...state, rows, pressed }, event.id);
    }
    case 'press': {
      const open = openRows(state);
      if (state.phase !== 'NEW' || open.length === 0) return state;
      const rows = state.rows.map((row) =>
        row.state.at === 'failed' ? { ...row, state: { at: 'waiting' } as const } : row,
      );
      return { ...state, phase: 'UPLOADING', rows, run: open.map(({ id }) => id), pressed: open.length };
    }
    case 'started':
      return changed(state, event.id, 'waiting', { at: 'uploading', percent: 0 }, event.upload);
    case 'sent':
      return changed(state, event.id, 'uploading', { at: 'uploading', percent: event.percent });
    case 'uploaded': {
      const { image, removed } = event.answer;
      const next = changed(state, event.id, 'uploading', { at: 'uploaded', image, removed });
      return next === state ? state : settled(next, event.id);
    }
    case 'failed': {
      const { message, next: advice } = event;
      const next = changed(state, event.id, 'uploading', { at: 'failed', message, next: advice });
      return next === state ? state : settled(next, event.id);
    }
    case 'stop': {
      if (state.phase !== 'UPLOADING') return state;
      const rows = state.rows.map((row) =>
        row.state.at === 'uploading' ? { ...row, state: { at: 'waiting' } as const } : row,
      );
      return settled({ ...state, rows, run: [] });
    }
    case 'refuse':
      // Reasons that have not been dismissed may be unread.
      return { ...state, refused: [...state.refused, ...event.pieces] };
    case 'dismiss':
      return { ...state, refused: [] };
    case 'large':
    case 'shrink':
    case 'leave':
    case 'take':
      return withLarge(state, event);
  }
}

type LargeEvent = Extract<UploadEvent, { type: 'large' | 'shrink' | 'leave' | 'take' }>;

/** Handles the files that are too large: shrunk, skipped or added. */
function withLarge(state: UploadState, event: LargeEvent): UploadState {
  switch (event.type) {
    case 'large': {
      const fresh = event.files.map((file, place) => ({
        ...file,
        id: state.nextId + place,
        shrink: { at: 'offered' } as const,
      }));
      return { ...state, large: [...state.large, ...fresh], nextId: state.nextId + fresh.length };
    }
    case 'shrink':
      return {
        ...state,
        large: state.large.map((file) => (file.id === event.id ? { ...file, shrink: event.shrink } : file)),
      };
    case 'leave':
      return { ...state, large: state.large.filter(({ id }) => !event.ids.includes(id)) };
    case 'take': {
      const pictures = state.large.flatMap(({ id, shrink, mark }) =>
        event.ids.includes(id) && shrink.at === 'shrunk' ? [{ ...shrink.picture, mark }] : [],
      );
      const marks = new Set(pictures.map(({ mark }) => mark));
      const large = state.large.filter(({ mark }) => !marks.has(mark));
      return withPictures({ ...state, large }, pictures);
    }
  }
}

/** Adds pictures, which wait for the next press. Even if all earlier ones are uploaded, the state is then NEW again. */
function withPictures(state: UploadState, pictures: readonly Picture[]): UploadState {
  const known = new Set(state.rows.map(({ mark }) => mark));
  const fresh: ImageRow[] = [];
  for (const picture of pictures) {
    if (known.has(picture.mark)) continue;
    known.add(picture.mark);
    fresh.push({
      ...picture,
      id: state.nextId + fresh.length,
      number: state.rows.length + fresh.length + 1,
      upload: null,
      state: { at: 'waiting' },
    });
  }
  if (fresh.length === 0) return state;
  return settled({ ...state, rows: [...state.rows, ...fresh], nextId: state.nextId + fresh.length });
}

function numbered(rows: readonly ImageRow[]): readonly ImageRow[] {
  return rows.map((row, place) => (row.number === place + 1 ? row : { ...row, number: place + 1 }));
}

function changed(
  state: UploadState,
  id: number,
  from: RowState['at'],
  to: RowState,
  upload?: string,
): UploadState {
  const row = state.rows.find((one) => one.id === id);
  if (row?.state.at !== from || !state.run.includes(id)) return state;
  return {
    ...state,
    rows: state.rows.map((one) => (one === row ? { ...one, upload: upload ?? one.upload, state: to } : one)),
  };
}

/**
 * Determines the next phase: UPLOADED only once every image has been uploaded (OP-95).
 * @param ended a row that has finished and is removed from the run
 */
function settled(state: UploadState, ended?: number): UploadState {
  const run = state.run.filter((id) => id !== ended);
  if (run.length > 0) return { ...state, run };
  const all = state.rows.length > 0 && state.rows.every((row) => row.state.at === 'uploaded');
  return { ...state, run, phase: all ? 'UPLOADED' : 'NEW' };
}
