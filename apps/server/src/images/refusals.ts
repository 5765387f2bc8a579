/** Reasons for rejecting a file, worded for the admin who chose it. */
import { grouped } from '@lms-admin/domain/numbers';
import { AppError } from '../platform/errors.ts';

const RESAVE = 'Open it in an image editor, save it again and upload the new file.';

export function isEmpty(name: string): AppError {
  return refused(`${name} is empty.`, 'Choose the file again.');
}

export function isSvg(name: string): AppError {
  return refused(
    `${name} is an SVG image. SVG images can contain scripts, so they cannot be uploaded.`,
    'Export it as PNG or WebP, and upload the new file.',
  );
}

export function isNoImage(name: string): AppError {
  return refused(
    `${name} is not a PNG, JPEG, GIF, WebP or ICO image. LMS Admin checks the content of a file, not its name.`,
    'Export it as one of these types, and upload the new file.',
  );
}

export function isDamaged(name: string): AppError {
  return refused(`${name} is damaged or incomplete, and cannot be shown completely.`, RESAVE);
}

export function hasTooManyPixels(name: string, most: number): AppError {
  const limit = grouped(most);
  return refused(
    `${name} has more than ${limit} pixels. In an animation, the pixels of all frames count.`,
    'Make it smaller, and upload the new file.',
  );
}

export function growsTooLarge(name: string, most: number): AppError {
  return refused(
    `${name} would have more than ${grouped(most)} bytes, even without data that is not needed to show it.`,
    RESAVE,
  );
}

function refused(message: string, next: string): AppError {
  return new AppError('bad-request', { message, next });
}
