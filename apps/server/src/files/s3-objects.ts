/** Objects in a bucket of an S3 store. The library builds the requests; `outbound/` sends them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { createCheck } from '../outbound/check.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { Outbound, OutboundRequest } from '../outbound/types.ts';
import type { OutsideSystem } from '../platform/outside.ts';
import type { S3Settings } from '../platform/s3-settings.ts';
import type { ObjectStore } from './objects.ts';
import { IMAGE_STORE, StoreError, storeError } from './s3-errors.ts';

/** Images have at most 100,000 bytes, and error messages of a store are shorter. */
const MOST_BYTES = 1_000_000;
const CONNECT_MS = 5_000;
/** Maximum concurrent calls. */
const AT_ONCE = 8;
const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE'] as const;

const CACHE = 'public, max-age=31536000, immutable';
/** Next to the images, because a key may only have permission to write there. */
const CHECK = {
  key: 'icons/lms-admin-check.txt',
  type: 'text/plain',
  bytes: Buffer.from('LMS Admin checks whether it can write here.\n'),
};
/** Milliseconds after which the check writes again; in between it only reads. */
const WRITE_MS = 600_000;

export interface S3Objects extends ObjectStore, OutsideSystem {
  close(): Promise<void>;
}

/** Sends nothing and does not load the library before the first call. */
export function s3Objects(settings: S3Settings): S3Objects {
  const endpoint = settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`;
  const outbound = outboundOf(settings, endpoint);
  let library: Promise<Library> | null = null;
  let wroteAt = -WRITE_MS;
  const store = storeIn(settings.bucket, endpoint, (ask) => {
    library ??= load(settings, endpoint, outbound);
    return called(library, settings.bucket, ask);
  });

  return {
    ...store,
    system: IMAGE_STORE,
    stats: () => outbound.stats(),
    check: createCheck(IMAGE_STORE, async () => {
      if (performance.now() - wroteAt > WRITE_MS) await store.put(CHECK);
      const read = await store.get(CHECK.key);
      if (!read?.equals(CHECK.bytes)) {
        throw new StoreError('odd', {
          sent: 'answered',
          detail: 'the content that was read differs from what was written',
        });
      }
      wroteAt = performance.now();
    }),
    async close() {
      (await library)?.client.destroy();
      await outbound.close();
    },
  };
}

function outboundOf({ timeoutMs }: S3Settings, endpoint: string): Outbound {
  return createOutbound({
    system: IMAGE_STORE,
    origin: endpoint,
    atOnce: AT_ONCE,
    maxBytes: MOST_BYTES,
    // A person is waiting for the result.
    throttledRepeats: 1,
    longestWaitMs: 5_000,
    connectMs: Math.min(CONNECT_MS, timeoutMs),
    firstByteMs: timeoutMs,
    pauseMs: timeoutMs,
    wholeMs: timeoutMs,
    isThrottled: (answer) =>
      answer.status === 429 || (answer.status === 503 && answer.text.includes('<Code>SlowDown<')),
    // A key cannot be renewed.
    refusesToken: () => false,
    failure: (kind, failure) => new StoreError(kind, failure),
  });
}

type Ask<T> = (of: Library) => Promise<T>;

/** @throws StoreError */
async function called<T>(library: Promise<Library>, bucket: string, ask: Ask<T>): Promise<T> {
  const loaded = await library;
  try {
    return await ask(loaded);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (!(error instanceof loaded.S3ServiceException)) {
      throw new StoreError('odd', {
        sent: 'maybe',
        detail: 'an answer that does not come from S3',
        cause: error,
      });
    }
    throw storeError(error.$metadata.httpStatusCode ?? 0, error.name, bucket, error);
  }
}

function storeIn(bucket: string, endpoint: string, call: <T>(ask: Ask<T>) => Promise<T>): ObjectStore {
  return {
    home: `s3:${new URL(endpoint).host}/${bucket}`,
    async put({ key, type, bytes }) {
      const { ETag } = await call(({ client, PutObjectCommand }) =>
        client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: key,
            Body: bytes,
            ContentType: type,
            CacheControl: CACHE,
            ContentMD5: createHash('md5').update(bytes).digest('base64'),
          }),
        ),
      );
      // Another server at the address might answer 'OK' to anything.
      if (!ETag)
        throw new StoreError('odd', { status: 200, sent: 'maybe', detail: 'no ETag after the upload' });
    },
    async get(key) {
      return call(async ({ client, GetObjectCommand, NoSuchKey }) => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
          return Body ? Buffer.from(await Body.transformToByteArray()) : null;
        } catch (error) {
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      });
    },
    async remove(key) {
      await call(({ client, DeleteObjectCommand }) =>
        client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })),
      );
    },
  };
}

type Library = typeof import('./s3-library.ts') & { client: S3Client };

async function load(settings: S3Settings, endpoint: string, outbound: Outbound): Promise<Library> {
  const library = await import('./s3-library.ts');
  const client = new library.S3Client({
    endpoint,
    region: settings.region,
    // Without this option, the bucket becomes part of the host name.
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Other stores reject or misread the checksums added by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // `outbound` does the retries.
    maxAttempts: 1,
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestHandler: handlerOver(outbound),
  });
  return { ...library, client };
}

/** A signed request from the library. */
interface Signed {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** Adapts the outbound client for the library. */
function handlerOver(outbound: Outbound) {
  return {
    async handle({ method: named, path, query = {}, headers, body }: Signed) {
      const method = METHODS.find((one) => one === named);
      if (!method) throw new TypeError(`the method ${named} is not known`);
      const { expect: _, ...sent } = headers;
      const request: OutboundRequest = { method, path: path + queryText(query), headers: sent };
      if (body instanceof Uint8Array || typeof body === 'string') request.body = body;
      else if (body !== undefined && body !== null)
        throw new TypeError('a body that is neither text nor bytes');
      const answer = await outbound.request(request);
      return {
        response: {
          statusCode: answer.status,
          headers: Object.fromEntries(answer.headers()),
          body: Readable.from([answer.body], { objectMode: false }),
        },
      };
    },
  };
}

function queryText(query: NonNullable<Signed['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
