/**
 * A real S3 server for tests, which rejects wrong secrets, behind a proxy that can be made to fail. It runs
 * in this process. With `TEST_S3_ENDPOINT` the same tests use that store instead (docs/decisions/images.md).
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type Front, startFront } from '../support/front.ts';

/** A store that is already running, or null to start one. */
const OTHER_STORE = process.env.TEST_S3_ENDPOINT ?? null;
const KEY = OTHER_STORE === null ? 'S3RVER' : needed('TEST_S3_ACCESS_KEY_ID');
const SECRET = OTHER_STORE === null ? 'S3RVER' : needed('TEST_S3_SECRET_ACCESS_KEY');
// These tests ignore all other contents of that store.
const OWN = OTHER_STORE === null ? '' : `-${randomBytes(4).toString('hex')}`;
export const BUCKET = `pictures${OWN}`;
export const OTHER_BUCKET = `pictures-two${OWN}`;
/** The ending of the files that hold the contents. */
const OBJECT = '._S3rver_object';

export interface Store {
  /** The proxy in front of the store; the settings name the proxy. */
  front: Front;
  /** The origin of the store itself. */
  url: string;
  /** The settings for one of its buckets, by name. */
  settings(bucket?: string, prefix?: 'S3_' | 'S3_OLD_'): Record<string, string>;
  /** The keys of the objects in a bucket. */
  keys(bucket?: string): Promise<string[]>;
  get(key: string, bucket?: string): Promise<{ bytes: Buffer; type: string; cache: string } | null>;
  put(key: string, bytes: Buffer, bucket?: string): Promise<void>;
  remove(key: string, bucket?: string): Promise<void>;
  close(): Promise<void>;
}

export async function startStore(): Promise<Store> {
  const opened = OTHER_STORE === null ? await ownServer() : { url: new URL(OTHER_STORE).origin };
  const { url } = opened;
  const front = await startFront(url);
  const client = new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const buckets = [BUCKET, OTHER_BUCKET];
  const own = 'close' in opened ? opened : bucketsOf(client, buckets);
  await own.open?.();
  return {
    front,
    url,
    settings: (bucket = BUCKET, prefix = 'S3_') => ({
      [`${prefix}ENDPOINT`]: front.url,
      [`${prefix}BUCKET`]: bucket,
      [`${prefix}ACCESS_KEY_ID`]: KEY,
      [`${prefix}SECRET_ACCESS_KEY`]: SECRET,
    }),
    keys: (bucket = BUCKET) => own.keys(bucket),
    async get(key, bucket = BUCKET) {
      try {
        const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? []);
        return { bytes, type: found.ContentType ?? '', cache: found.CacheControl ?? '' };
      } catch {
        return null;
      }
    },
    async put(key, bytes, bucket = BUCKET) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
    },
    async remove(key, bucket = BUCKET) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    async close() {
      front.close();
      await own.close();
      client.destroy();
    },
  };
}

interface Buckets {
  open?(): Promise<void>;
  keys(bucket: string): Promise<string[]>;
  close(): Promise<void>;
}

async function ownServer(): Promise<Buckets & { url: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'lms-admin-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }, { name: OTHER_BUCKET }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    async keys(bucket) {
      // Read from its folder, because it does not understand the library's list request.
      const files = await readdir(join(directory, bucket), { recursive: true });
      return files.filter((file) => file.endsWith(OBJECT)).map((file) => file.slice(0, -OBJECT.length));
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Creates separate buckets in a store that is already running. They are deleted afterwards. */
function bucketsOf(client: S3Client, names: readonly string[]): Buckets {
  const keys = async (bucket: string) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.flatMap(({ Key }) => Key ?? []);
  };
  return {
    async open() {
      for (const Bucket of names) await client.send(new CreateBucketCommand({ Bucket }));
    },
    keys,
    async close() {
      for (const Bucket of names) {
        for (let some = await keys(Bucket); some.length > 0; some = await keys(Bucket)) {
          for (const Key of some) await client.send(new DeleteObjectCommand({ Bucket, Key }));
        }
        await client.send(new DeleteBucketCommand({ Bucket }));
      }
    },
  };
}

function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: TEST_S3_ENDPOINT needs it`);
  return value;
}
