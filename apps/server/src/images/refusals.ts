/** Why a file is not taken, in words for the admin who chose it. */
import { AppError } from '../platform/errors.ts';

const SAVE_AGAIN = 'Open it in an image editor, save it again and upload that.';

export function isEmpty(name: string): AppError {
  return refused(`${name} is empty.`, 'Choose the file again.');
}

export function isSvg(name: string): AppError {
  return refused(
    `${name} is an SVG. Those can carry scripts, which would run wherever the link is opened: they are not taken.`,
    'Export it as PNG or WebP, and upload that.',
  );
}

export function isNoImage(name: string): AppError {
  return refused(
    `${name} is no PNG, JPEG, GIF, WebP or ICO image. What counts is its content, not its name.`,
    'Export it as one of these, and upload that.',
  );
}

export function isDamaged(name: string): AppError {
  return refused(`${name} is damaged or incomplete, and cannot be shown as a whole.`, SAVE_AGAIN);
}

export function hasTooManyPixels(name: string, most: number): AppError {
  const limit = most.toLocaleString('en-GB');
  return refused(
    `${name} has more than ${limit} pixels, all pictures of an animation together.`,
    'Make it smaller, and upload that.',
  );
}

export function growsTooLarge(name: string, most: number): AppError {
  return refused(
    `${name} would have more than ${most.toLocaleString('en-GB')} bytes once it is put in order.`,
    SAVE_AGAIN,
  );
}

function refused(message: string, next: string): AppError {
  return new AppError('bad-request', { message, next });
}
