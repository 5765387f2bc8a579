/** JSON as gzip bytes, for large values that are only read as a whole. Compression runs off the event loop. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const deflate = promisify(gzip);
const inflate = promisify(gunzip);

export async function pack(value: unknown): Promise<Uint8Array> {
  return deflate(JSON.stringify(value), { level: 3 });
}

/** Unpacks a value, whose type the caller must know. */
export async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await inflate(bytes)).toString('utf8')) as T;
}
