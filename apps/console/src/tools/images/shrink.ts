/** Shrinks a picture that is too large in the browser, so that nothing has to be sent. Loaded on demand. */
import { imageSize } from 'image-size';
import { kindOf } from './image-kinds.ts';
import { dataUrlOf } from './read-file.ts';
import {
  type Attempt,
  firstThatFits,
  isAnimated,
  type Look,
  lookOf,
  MOST_PIXELS,
  renamed,
} from './shrink-plan.ts';
import { texts } from './texts.ts';
import type { ShrinkResult } from './upload-state.ts';

const words = texts.shrink;
const impossible = (why: string): ShrinkResult => ({ at: 'impossible', why });
/** Side of the square in which pixels are sampled. */
const SAMPLE = 256;

/**
 * Creates a smaller copy of a picture, in pixels or quality, or explains why the picture cannot be shrunk. Never
 * throws.
 */
export async function shrink(name: string, source: Blob): Promise<ShrinkResult> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await source.arrayBuffer());
  } catch {
    return impossible(words.unread);
  }
  const type = kindOf(bytes);
  if (type === null) return impossible(words.broken);
  if (type === 'image/x-icon') return impossible(words.icon);
  if (isAnimated(type, bytes)) return impossible(words.animated);
  try {
    // Before decoding: a small file may contain more pixels than a computer's memory holds.
    const { width, height } = imageSize(bytes);
    if (width * height > MOST_PIXELS) return impossible(words.pixels(width, height));
    const picture = await createImageBitmap(new Blob([bytes as BlobPart], { type }));
    const from = { width: picture.width, height: picture.height };
    const found = await firstThatFits(type, from, lookAt(picture), encoderOf(picture));
    picture.close();
    if (found === null) return impossible(words.never);
    const { file, attempt } = found;
    return {
      at: 'shrunk',
      picture: {
        name: renamed(name, attempt.format),
        bytes: file.size,
        file: await dataUrlOf(file),
      },
      from,
      to: { width: attempt.width, height: attempt.height },
    };
  } catch {
    return impossible(words.broken);
  }
}

function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error('no canvas');
  return { canvas, drawing };
}

/** Samples pixels without scaling, because scaling would create colours that the picture does not have. */
function lookAt(picture: ImageBitmap): Look {
  const width = Math.min(SAMPLE, picture.width);
  const height = Math.min(SAMPLE, picture.height);
  const { drawing } = canvasOf(width, height);
  drawing.imageSmoothingEnabled = false;
  drawing.drawImage(picture, 0, 0, width, height);
  return lookOf(drawing.getImageData(0, 0, width, height).data);
}

/** Returns an encoder for a picture. It returns null if this browser cannot write the format. */
function encoderOf(picture: ImageBitmap): (attempt: Attempt) => Promise<Blob | null> {
  let canvas: HTMLCanvasElement | null = null;
  return ({ width, height, format, quality }) => {
    // The canvas is reused, because several qualities are tried at each size.
    if (canvas?.width !== width || canvas.height !== height) {
      const target = canvasOf(width, height);
      target.drawing.imageSmoothingQuality = 'high';
      target.drawing.drawImage(picture, 0, 0, width, height);
      canvas = target.canvas;
    }
    const drawn = canvas;
    return new Promise((resolve) => {
      drawn.toBlob((blob) => resolve(blob?.type === format ? blob : null), format, quality);
    });
  };
}
