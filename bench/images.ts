/** The image uploader compared with the S3 client alone, on the same bytes and the same store. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import sharp from 'sharp';
import { mapLimited } from '../apps/server/src/platform/limited.ts';
import { Bench, type Figure, healthFigure, median, seconds, timed, times } from './support.ts';

const FILES = 50;
/** A noise image of about 100,000 bytes. */
const SIDE = 181;
/** Number of simultaneous uploads in a browser. */
const AT_ONCE = 6;
const ROUNDS = 5;
/** Response time of a store across a network, in milliseconds. */
const FAR_MS = 50;
/** Each person can upload at most 300 images a minute. */
const MINUTE_MS = 60_000;
const KEY = 'S3RVER';
/** Additional memory allowed for four times as many images: garbage that is collected later. */
const FLAT_BYTES = 30_000_000;

const mega = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Measures 50 files of 100 KB, uploaded through the server and by the client alone. */
export async function images(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lms-admin-bench-s3-'));
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: 'icons' }, { name: 'alone' }],
  });
  const { port } = await store.run();
  const far = await farAway(port);
  try {
    const near = await onStore(`http://localhost:${port}`, 'a store on this machine', true);
    const across = await onStore(far.endpoint, `a store whose answers take ${FAR_MS} ms longer`, false);
    return [...near.slice(0, 1), ...across, ...near.slice(1)];
  } finally {
    far.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** @param withMemory whether to measure the server's memory as well */
async function onStore(endpoint: string, named: string, withMemory: boolean): Promise<Figure[]> {
  const bench = await Bench.open({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'icons',
    S3_ACCESS_KEY_ID: KEY,
    S3_SECRET_ACCESS_KEY: KEY,
  });
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: KEY, secretAccessKey: KEY },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  try {
    const figure = await beside(bench, client, named);
    return withMemory ? [figure, ...(await memory(bench))] : [figure];
  } finally {
    client.destroy();
    await bench.close();
  }
}

async function beside(bench: Bench, client: S3Client, named: string): Promise<Figure> {
  const ours: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const files = await filesOf(round);
    const byUs = await timed(() => upload(bench, files, round));
    const byClient = await timed(() => put(client, files, round));
    // The first round only warms up the code of both.
    if (round === 0) continue;
    ours.push(byUs.ms);
    alone.push(byClient.ms);
  }
  const ratio = median(ours.map((ms, at) => ms / (alone[at] ?? ms)));
  return {
    work: `${FILES} images of 100 KB decoded, cleaned, stored and recorded; ${named}`,
    reached: `${times(ratio)} of the S3 client alone (${seconds(median(ours))} against ${seconds(median(alone))})`,
    target: 'within 1.5×',
    met: ratio <= 1.5,
  };
}

async function memory(bench: Bench): Promise<Figure[]> {
  await pause(MINUTE_MS);
  const [first = [], ...more] = await Promise.all([20, 21, 22, 23, 24].map(filesOf));
  const few = await bench.watched(() => upload(bench, first, 20));
  const many = await bench.watched(async () => {
    for (const [at, files] of more.entries()) await upload(bench, files, 21 + at);
  });
  return [
    {
      work: `memory for ${more.length * FILES} images, compared with that for ${FILES}`,
      reached: `${mega(many.above)} more than before, compared with ${mega(few.above)}`,
      target: `at most ${mega(FLAT_BYTES)} more`,
      met: many.above <= few.above + FLAT_BYTES,
    },
    healthFigure(many, 'images uploaded'),
  ];
}

/** Starts a proxy that delays every answer of the store, as if it were across a network. */
async function farAway(port: number): Promise<{ endpoint: string; close: () => void }> {
  const server = createServer((asked, reply) => {
    const { method, url: path, headers } = asked;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      setTimeout(() => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      }, FAR_MS);
    });
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    endpoint: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function filesOf(round: number): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: FILES }, (_, file) => {
      const pixels = Buffer.alloc(SIDE * SIDE * 3);
      let state = round * FILES + file + 1;
      for (let at = 0; at < pixels.length; at++) {
        state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
        pixels[at] = state >> 16;
      }
      return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
        .png({ compressionLevel: 0 })
        .toBuffer();
    }),
  );
}

async function upload(bench: Bench, files: readonly Buffer[], round: number): Promise<void> {
  const press = randomUUID();
  await mapLimited(files, AT_ONCE, (bytes, at) =>
    bench.fetch(ENDPOINTS.imageUpload, {
      name: `bench-${round}-${at}.png`,
      file: `data:image/png;base64,${bytes.toString('base64')}`,
      upload: press,
    }),
  );
}

async function put(client: S3Client, files: readonly Buffer[], round: number): Promise<void> {
  await mapLimited(files, AT_ONCE, (Body, at) =>
    client.send(
      new PutObjectCommand({
        Bucket: 'alone',
        Key: `icons/bench-${round}-${at}.png`,
        Body,
        ContentType: 'image/png',
      }),
    ),
  );
}
