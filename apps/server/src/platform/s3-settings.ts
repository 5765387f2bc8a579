/**
 * `S3_…`: the bucket for images, in any store with the S3 API. `S3_OLD_…`: the former bucket, which is read until its
 * images are moved.
 */
import { z } from 'zod';

export interface S3Settings {
  /** Origin of the store; null for AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Milliseconds within which an answer must arrive. */
  readonly timeoutMs: number;
}

export interface ImageStores {
  /** Store for new images; null for the database. */
  readonly s3: S3Settings | null;
  /** Public address of the bucket, without a trailing slash; null if LMS Admin serves the images itself. */
  readonly publicUrl: string | null;
  /** Former store. */
  readonly old: S3Settings | null;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);
const ENDPOINT = 'the https address of the store without a path, such as https://s3.example.edu';
const PUBLIC = 'the https address at which the bucket can be read, such as https://images.example.edu';

/** Tells whether a text is an address without query; plain http only for this machine. */
function isAddress(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return secure && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
}

const endpoint = z
  .string()
  .refine((given) => isAddress(given) && new URL(given).pathname === '/', ENDPOINT)
  .transform((given) => new URL(given).origin)
  .optional();
const region = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, 'the region of the bucket, such as eu-west-3')
  .optional();
const bucket = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'the name of the bucket: small letters, digits, dots and dashes',
  )
  .optional();
const keyId = z.string().min(3, 'the id of the access key').max(200).optional();
const secret = z.string().min(6, 'the secret of the access key').max(500).optional();

/** Settings with their names in the environment. */
export const s3Shape = {
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: keyId,
  S3_SECRET_ACCESS_KEY: secret,
  S3_PUBLIC_URL: z
    .string()
    .refine(isAddress, PUBLIC)
    .transform((given) => given.replace(/\/+$/, ''))
    .optional(),
  S3_TIMEOUT_MS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'a whole number of milliseconds up to 999999')
    .transform(Number)
    .default(30_000),
  S3_OLD_ENDPOINT: endpoint,
  S3_OLD_REGION: region,
  S3_OLD_BUCKET: bucket,
  S3_OLD_ACCESS_KEY_ID: keyId,
  S3_OLD_SECRET_ACCESS_KEY: secret,
};

type Set = z.output<z.ZodObject<typeof s3Shape>>;

/** Settings that are needed together, with their expected values. */
const NEEDED = {
  BUCKET: 'the name of the bucket for images',
  ACCESS_KEY_ID: 'the id of a key that can write to the bucket',
  SECRET_ACCESS_KEY: 'the secret of that key',
} as const;

/** Returns the settings that are missing given the others. @param given names of the settings with a value */
export function s3Problems(given: ReadonlySet<string>): string[] {
  const names = Object.keys(s3Shape).filter((name) => given.has(name) && name !== 'S3_TIMEOUT_MS');
  const isOld = (name: string) => name.startsWith('S3_OLD_');
  return [
    ...(names.some((name) => !isOld(name)) ? missing('S3_', given) : []),
    ...(names.some(isOld) ? missing('S3_OLD_', given) : []),
  ];
}

function missing(prefix: 'S3_' | 'S3_OLD_', given: ReadonlySet<string>): string[] {
  const problems = Object.entries(NEEDED)
    .filter(([name]) => !given.has(prefix + name))
    .map(([name, what]) => `${prefix}${name} is missing: it should be ${what}`);
  if (!given.has(`${prefix}ENDPOINT`) && !given.has(`${prefix}REGION`)) {
    problems.push(
      `${prefix}ENDPOINT is missing: it should be ${ENDPOINT} (for AWS, ${prefix}REGION is enough)`,
    );
  }
  return problems;
}

/** The signature always contains a region; stores without regions accept this one. */
const NO_REGION = 'us-east-1';

export function imageStores(set: Set): ImageStores {
  const timeoutMs = set.S3_TIMEOUT_MS;
  return {
    publicUrl: set.S3_PUBLIC_URL ?? null,
    s3: whole(timeoutMs, {
      endpoint: set.S3_ENDPOINT,
      region: set.S3_REGION,
      bucket: set.S3_BUCKET,
      accessKeyId: set.S3_ACCESS_KEY_ID,
      secretAccessKey: set.S3_SECRET_ACCESS_KEY,
    }),
    old: whole(timeoutMs, {
      endpoint: set.S3_OLD_ENDPOINT,
      region: set.S3_OLD_REGION,
      bucket: set.S3_OLD_BUCKET,
      accessKeyId: set.S3_OLD_ACCESS_KEY_ID,
      secretAccessKey: set.S3_OLD_SECRET_ACCESS_KEY,
    }),
  };
}

type Given = Record<'endpoint' | 'region' | 'bucket' | 'accessKeyId' | 'secretAccessKey', string | undefined>;

function whole(timeoutMs: number, given: Given): S3Settings | null {
  const { bucket: name, accessKeyId, secretAccessKey } = given;
  if (name === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return {
    endpoint: given.endpoint ?? null,
    region: given.region ?? NO_REGION,
    bucket: name,
    accessKeyId,
    secretAccessKey,
    timeoutMs,
  };
}
