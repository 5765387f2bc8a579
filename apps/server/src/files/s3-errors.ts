/** How an image store fails, in our words. */
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import type { OutsideErrorKind } from '../platform/outside.ts';

/** As texts name it. */
export const IMAGE_STORE = 'the image store';

/** What is wrong, where more is known than the status says: what to do about it. */
const NEXT = {
  key: 'Ask IT Support to renew the key in the settings of LMS Admin (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY).',
  bucket: 'Ask IT Support to look at the settings of LMS Admin (S3_BUCKET, S3_REGION, S3_ENDPOINT).',
  full: 'Ask IT Support to make room in it; then try again.',
  clock: 'Ask IT Support to set the clock of the server of LMS Admin.',
} as const;
export type StoreTrouble = keyof typeof NEXT;

/** A call to the store that failed. */
export class StoreError extends OutsideError {
  readonly trouble: StoreTrouble | null;

  constructor(kind: OutsideErrorKind, of: FailureDetails & { trouble?: StoreTrouble | null }) {
    super(IMAGE_STORE, kind, of);
    this.name = 'StoreError';
    this.trouble = of.trouble ?? null;
  }

  override toAppError(): AppError {
    const said = super.toAppError();
    if (this.trouble === null) return said;
    const message =
      this.trouble === 'key' ? 'The image store does not accept the key of LMS Admin.' : said.message;
    return new AppError(said.code, { message, next: NEXT[this.trouble], cause: this });
  }
}

const BAD_KEY =
  /^(SignatureDoesNotMatch|InvalidAccessKeyId|InvalidToken|ExpiredToken|NotSignedUp|InvalidSecurity)$/;
const FULL = /Quota|Full$|InsufficientStorage|NoSpace|StorageLimit/i;
const ELSEWHERE =
  /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|InvalidBucketName)$/;

/**
 * @param status of the answer
 * @param code the store's own name of what is wrong; empty where it gives none
 * @param bucket its name, for what is said of it
 */
export function storeError(status: number, code: string, bucket: string, cause?: unknown): StoreError {
  const make = (kind: OutsideErrorKind, detail: string, trouble: StoreTrouble | null = null) =>
    new StoreError(kind, { status, sent: 'answered', detail, trouble, cause });
  if (status === 507 || FULL.test(code)) return make('rejected', 'it is full.', 'full');
  if (code === 'NoSuchBucket' || (status === 404 && code !== 'NoSuchKey')) {
    return make('rejected', `there is no bucket ${bucket}.`, 'bucket');
  }
  if (status === 401 || BAD_KEY.test(code)) return make('token-refused', code || `status ${status}`, 'key');
  if (code === 'RequestTimeTooSkewed') return make('rejected', 'its clock and ours differ.', 'clock');
  if (ELSEWHERE.test(code) || (status >= 300 && status < 400)) {
    return make('rejected', `the bucket ${bucket} lies elsewhere.`, 'bucket');
  }
  if (status === 429 || code === 'SlowDown') return make('throttled', code || `status ${status}`);
  if (status >= 500) return make('down', code || `status ${status}`);
  if (status === 403) return make('refused', code || 'status 403');
  if (status >= 400) return make('rejected', code || `status ${status}`);
  return make('odd', code || `status ${status}`);
}
