/** Why a file is not taken, in words for the admin who chose it. */
import { grouped } from '@lms-admin/domain/numbers';
import { AppError } from '../platform/errors.ts';

const SAVE_AGAIN = 'Open it in an image editor, save it again and upload that.';

export function isEmpty(name: string): AppError {
  return refused(`${name} is empty.`, 'Choose the file again.');
}

export function isSvg(name: string): AppError {
  return refused(
    `${name} is an SVG image. SVG images can contain scripts, so they cannot be uploaded.`,
    'Export it as PNG or WebP, and upload that.',
  );
}

export function isNoImage(name: string): AppError {
  return refused(
    `${name} is not a PNG, JPEG, GIF, WebP or ICO image. Its content decides, not its name.`,
    'Export it as one of these, and upload that.',
  );
}

export function isDamaged(name: string): AppError {
  return refused(`${name} is damaged or incomplete, and cannot be shown as a whole.`, SAVE_AGAIN);
}

export function hasTooManyPixels(name: string, most: number): AppError {
  const limit = grouped(most);
  return refused(
    `${name} has more than ${limit} pixels, all pictures of an animation together.`,
    'Make it smaller, and upload that.',
  );
}

export function growsTooLarge(name: string, most: number): AppError {
  return refused(`${name} would have more than ${grouped(most)} bytes after the clean-up.`, SAVE_AGAIN);
}

function refused(message: string, next: string): AppError {
  return new AppError('bad-request', { message, next });
}
