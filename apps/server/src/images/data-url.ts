/** Extracts the file of an upload from its data URL. */
import { imageMessages } from '@lms-admin/contract/messages/images';
import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import { AppError, fieldDetail } from '../platform/errors.ts';
import { badRequest } from '../platform/http-errors.ts';

/** Text before the content: a media type and its parameters. */
const HEAD = /^data:([^,;]{0,127})(?:;[^,;]{1,127}){0,5};base64$/i;
const MOST_HEAD = 1_000;

export interface DataUrl {
  bytes: Buffer;
  /** The declared media type, which is not trusted. */
  declared: string;
}

/**
 * Reads the URL strictly: ambiguous input is rejected.
 * @param name of the file, for messages
 * @throws AppError bad-request, too-large
 */
export function readDataUrl(text: string, name: string): DataUrl {
  const comma = text.slice(0, MOST_HEAD).indexOf(',');
  const head = comma < 0 ? null : HEAD.exec(text.slice(0, comma));
  const content = text.slice(comma + 1);
  if (!head || content.length % 4 !== 0) {
    throw badRequest([fieldDetail('file', 'should be a data URL in base64')]);
  }
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
  const length = (content.length / 4) * 3 - padding;
  if (length > IMAGE_MAX_BYTES) {
    throw new AppError('too-large', {
      message: imageMessages.tooLarge(name, length),
      next: 'Shrink it, or use an image compressor, and upload it again.',
    });
  }
  const bytes = Buffer.from(content, 'base64');
  // The decoder skips invalid characters and unused bits; both are missing when the bytes are encoded again.
  if (bytes.toString('base64') !== content) {
    throw badRequest([fieldDetail('file', 'should be a data URL in base64')]);
  }
  return { bytes, declared: (head[1] ?? '').trim().toLowerCase() };
}
