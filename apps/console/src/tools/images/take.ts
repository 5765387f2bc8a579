/** Checks dropped, picked or pasted files one by one. */
import type { NotTaken } from '@lms-admin/domain/emails';
import { FIRST_BYTES, judge, markOf, sentName } from './image-kinds.ts';
import { dataUrlOf } from './read-file.ts';
import { texts } from './texts.ts';
import type { LargeFile, Picture } from './upload-state.ts';

/** Maximum number of images in the list: each is kept in memory until the page is reloaded. */
export const MOST_IMAGES = 500;

export interface Looked {
  pictures: Picture[];
  large: Pick<LargeFile, 'name' | 'bytes' | 'mark' | 'source'>[];
  refused: NotTaken[];
}

export interface TakeOptions {
  /** Names of folders among the files. */
  folders?: readonly string[];
  /** Whether a file with this mark is already in the list. */
  isTaken: (mark: string) => boolean;
  /** How many more images the list can hold. */
  room: number;
}

/** Reads the files that can be used, and returns the reason why each of the others cannot. Keeps the order. */
export async function take(files: readonly File[], options: TakeOptions): Promise<Looked> {
  const looked: Looked = { pictures: [], large: [], refused: [] };
  for (const file of files) {
    const why = (options.folders ?? []).includes(file.name)
      ? texts.refused.folder
      : await lookAt(file, looked, options);
    if (why !== null) looked.refused.push({ text: file.name, why });
  }
  return looked;
}

/** Adds a file if it can be used. @returns why the file cannot be used, otherwise null */
async function lookAt(file: File, looked: Looked, { isTaken, room }: TakeOptions): Promise<string | null> {
  const { size } = file;
  const name = sentName(file.name);
  try {
    const first = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer());
    const judged = judge(file, first);
    if ('why' in judged) return judged.why;
    const bytes = judged.fits ? new Uint8Array(await file.arrayBuffer()) : first;
    const mark = markOf(name, size, bytes);
    const among = (some: readonly { mark: string }[]) => some.some((one) => one.mark === mark);
    if (isTaken(mark) || among(looked.pictures) || among(looked.large)) return texts.refused.twice;
    if (looked.pictures.length + looked.large.length >= room) return texts.refused.full(MOST_IMAGES);
    if (!judged.fits) looked.large.push({ name, bytes: size, mark, source: file });
    else {
      // Uses the detected type instead of the one from the operating system, so that the image is displayed correctly.
      const content = new Blob([bytes], { type: judged.kind });
      looked.pictures.push({ name, bytes: size, file: await dataUrlOf(content), mark });
    }
    return null;
  } catch {
    // A folder fails in the same way if the browser does not identify it as one.
    return texts.refused.unread;
  }
}
