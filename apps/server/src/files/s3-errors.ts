/** Errors of an image store. */
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import type { OutsideErrorKind } from '../platform/outside.ts';

/** Name of the store in messages. */
export const IMAGE_STORE = 'the image store';

/** Instructions for errors whose cause is more specific than the status. */
const NEXT = {
  key: 'Ask IT Support to renew the key in the settings of LMS Admin (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY).',
  bucket: 'Ask IT Support to check the settings of LMS Admin (S3_BUCKET, S3_REGION, S3_ENDPOINT).',
  full: 'Ask IT Support to free space in the image store. Then try again.',
  clock: 'Ask IT Support to correct the clock of the LMS Admin server.',
} as const;
export type StoreTrouble = keyof typeof NEXT;

/** A failed call to the store. */
export class StoreError extends OutsideError {
  readonly trouble: StoreTrouble | null;

  constructor(kind: OutsideErrorKind, of: FailureDetails & { trouble?: StoreTrouble | null }) {
    super(IMAGE_STORE, kind, of);
    this.name = 'StoreError';
    this.trouble = of.trouble ?? null;
  }

  override toAppError(): AppError {
    const appError = super.toAppError();
    if (this.trouble === null) return appError;
    const message =
      this.trouble === 'key' ? 'The image store does not accept LMS Admin’s key.' : appError.message;
    return new AppError(appError.code, { message, next: NEXT[this.trouble], cause: this });
  }
}

const BAD_KEY =
  /^(SignatureDoesNotMatch|InvalidAccessKeyId|InvalidToken|ExpiredToken|NotSignedUp|InvalidSecurity)$/;
const FULL = /Quota|Full$|InsufficientStorage|NoSpace|StorageLimit/i;
const ELSEWHERE =
  /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|InvalidBucketName)$/;

/**
 * @param status of the answer
 * @param code the store's error code, empty if missing
 * @param bucket its name, for messages
 */
export function storeError(status: number, code: string, bucket: string, cause?: unknown): StoreError {
  const make = (kind: OutsideErrorKind, detail: string, trouble: StoreTrouble | null = null) =>
    new StoreError(kind, { status, sent: 'answered', detail, trouble, cause });
  if (status === 507 || FULL.test(code)) return make('rejected', 'it is full.', 'full');
  if (code === 'NoSuchBucket' || (status === 404 && code !== 'NoSuchKey')) {
    return make('rejected', `the bucket ${bucket} does not exist.`, 'bucket');
  }
  if (status === 401 || BAD_KEY.test(code)) return make('token-refused', code || `status ${status}`, 'key');
  if (code === 'RequestTimeTooSkewed')
    return make('rejected', 'its clock and the clock of LMS Admin differ.', 'clock');
  if (ELSEWHERE.test(code) || (status >= 300 && status < 400)) {
    return make('rejected', `the bucket ${bucket} is in another region.`, 'bucket');
  }
  if (status === 429 || code === 'SlowDown') return make('throttled', code || `status ${status}`);
  if (status >= 500) return make('down', code || `status ${status}`);
  if (status === 403) return make('refused', code || 'status 403');
  if (status >= 400) return make('rejected', code || `status ${status}`);
  return make('odd', code || `status ${status}`);
}
