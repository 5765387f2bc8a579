/** Workbooks with a password, as Excel writes them (MS-OFFCRYPTO 2.3.4 and 2.3.6): unreadable without the password. */
import { createCipheriv, createHash } from 'node:crypto';
import { CFB } from '@e965/xlsx';

const PASSWORD = Buffer.from('open sesame', 'utf16le');
const SALT = Buffer.from('0123456789abcdef');
const VERIFIER = Buffer.from('fedcba9876543210');

const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** Encodes a text preceded by its length and padded to four bytes. */
const text = (value: string) => {
  const bytes = Buffer.from(value, 'utf16le');
  return Buffer.concat([number(bytes.length), bytes, Buffer.alloc(-bytes.length & 3)]);
};

/** Creates an .xlsx encrypted with AES, in the container format of older files. */
export function protectedXlsx(plain: Buffer): Buffer {
  let hash = sha1(SALT, PASSWORD);
  for (let turn = 0; turn < 50_000; turn++) hash = sha1(number(turn), hash);
  const last = sha1(hash, number(0));
  const pad = Buffer.alloc(64, 0x36);
  for (const [at, byte] of last.entries()) pad[at] = (pad[at] ?? 0) ^ byte;
  const key = sha1(pad).subarray(0, 16);
  const sealed = (bytes: Buffer) => {
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.concat([bytes, Buffer.alloc(-bytes.length & 15)]));
  };
  const provider = Buffer.from('Microsoft Enhanced RSA and AES Cryptographic Provider\0', 'utf16le');
  const header = Buffer.concat([...[0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0].map(number), provider]);
  const info = Buffer.concat([
    Buffer.from([3, 0, 2, 0]),
    number(0x24),
    number(header.length),
    header,
    number(SALT.length),
    SALT,
    sealed(VERIFIER),
    number(20),
    sealed(sha1(VERIFIER)),
  ]);
  const version = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const space = Buffer.concat([
    number(1),
    number(0),
    text('EncryptedPackage'),
    text('StrongEncryptionDataSpace'),
  ]);
  const transform = Buffer.concat([number(1), text('{FF9A3F03-56EF-4613-BDD5-5A41C1D07246}')]);
  const container = CFB.utils.cfb_new();
  const parts: Readonly<Record<string, Buffer>> = {
    '/\u0006DataSpaces/Version': Buffer.concat([text('Microsoft.Container.DataSpaces'), version]),
    '/\u0006DataSpaces/DataSpaceMap': Buffer.concat([number(8), number(1), number(space.length + 4), space]),
    '/\u0006DataSpaces/DataSpaceInfo/StrongEncryptionDataSpace': Buffer.concat([
      number(8),
      number(1),
      text('StrongEncryptionTransform'),
    ]),
    '/\u0006DataSpaces/TransformInfo/StrongEncryptionTransform/\u0006Primary': Buffer.concat([
      number(transform.length + 4),
      transform,
      text('Microsoft.Container.EncryptionTransform'),
      version,
      ...[0, 0, 0, 4].map(number),
    ]),
    '/EncryptionInfo': info,
    '/EncryptedPackage': Buffer.concat([number(plain.length), number(0), sealed(plain)]),
  };
  for (const [path, content] of Object.entries(parts)) CFB.utils.cfb_add(container, path, content);
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}

const BOUND_SHEET = 0x85;
/** Records that stay unencrypted: the beginning of a part, and the protection settings. */
const OPEN = new Set([0x809, 0x2f, 0xe1]);
/** Number of bytes encrypted with one key. */
const BLOCK = 1_024;

/** Creates an .xls encrypted with RC4. */
export function protectedXls(plain: Buffer): Buffer {
  const container = CFB.read(plain, { type: 'buffer' });
  const part = CFB.find(container, '/Workbook');
  if (!part) throw new Error('no workbook');
  const short = md5(PASSWORD).subarray(0, 5);
  const seed = md5(...Array.from({ length: 16 }, () => Buffer.concat([short, SALT]))).subarray(0, 5);
  const keyOf = (block: number) => md5(seed, number(block));
  const first = keyStream(keyOf(0));
  const sealed = (bytes: Buffer) => bytes.map((byte) => byte ^ first());
  const head = Buffer.from([0x2f, 0, 54, 0, 1, 0, 1, 0, 1, 0]);
  const pass = Buffer.concat([head, SALT, sealed(VERIFIER), sealed(md5(VERIFIER))]);
  const bytes = Buffer.from(part.content as Uint8Array);
  const begins = 4 + bytes.readUInt16LE(2);
  const whole = Buffer.concat([bytes.subarray(0, begins), pass, bytes.subarray(begins)]);
  const keys = Buffer.alloc(whole.length);
  for (let block = 0; block * BLOCK < whole.length; block++) {
    const next = keyStream(keyOf(block));
    for (let at = block * BLOCK; at < Math.min(whole.length, (block + 1) * BLOCK); at++) keys[at] = next();
  }
  for (let at = 0; at + 4 <= whole.length; ) {
    const [type, length] = [whole.readUInt16LE(at), whole.readUInt16LE(at + 2)];
    // The positions of sheets are not encrypted.
    if (type === BOUND_SHEET) whole.writeUInt32LE(whole.readUInt32LE(at + 4) + pass.length, at + 4);
    const from = at + 4 + (type === BOUND_SHEET ? 4 : 0);
    at += 4 + length;
    if (OPEN.has(type)) continue;
    for (let one = from; one < at; one++) whole[one] = (whole[one] ?? 0) ^ (keys[one] ?? 0);
  }
  part.content = whole;
  part.size = whole.length;
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}

/** Creates the key stream of the RC4 cipher. */
function keyStream(key: Buffer): () => number {
  const box = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number) => {
    [box[a], box[b]] = [box[b] ?? 0, box[a] ?? 0];
  };
  for (let [at, other] = [0, 0]; at < 256; at++) {
    other = (other + (box[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, other);
  }
  let [at, other] = [0, 0];
  return () => {
    at = (at + 1) & 255;
    other = (other + (box[at] ?? 0)) & 255;
    swap(at, other);
    return box[((box[at] ?? 0) + (box[other] ?? 0)) & 255] ?? 0;
  };
}
