/** The sandbox's saved state on its own: the contents of its file, and damaged files. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptMap } from '../../src/memory/kept.ts';
import { Memory } from '../../src/memory/memory.ts';

let folder: string;
let file: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-memory-'));
  file = join(folder, 'campus.jsonl');
  said = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the saved state of one map; `seed` names the initial contents. */
async function open(seed = 'one') {
  const memory = await Memory.open<string>({ folder, seed, say: (line) => said.push(line) });
  const map = new KeptMap<number>();
  const identity = memory.recall({ map }, () => map.clear());
  if (identity === null) memory.begin(`campus ${seed}`);
  return { memory, map, identity };
}

test('entries are restored with their last value, and removed ones are not', async () => {
  const first = await open();
  first.map.set('a', 1);
  first.map.set('b', 2);
  await first.memory.settle();
  first.map.set('a', 3);
  first.map.delete('b');
  await first.memory.close();
  const second = await open();
  expect(second.identity).toBe('campus one');
  expect([...second.map]).toEqual([['a', 3]]);
  await second.memory.close();
});

test('simultaneous changes are written as one line; an incomplete line affects only itself', async () => {
  const first = await open();
  for (let round = 0; round < 3; round++) {
    first.map.set('a', round);
    first.map.set('b', round);
    await first.memory.settle();
  }
  await first.memory.close();
  const whole = readFileSync(file);
  const lines = whole.toString().split('\n');
  expect(lines).toHaveLength(5);
  const last = (lines[3]?.length ?? 0) + 1;
  for (const cut of [1, 2, last - 1]) {
    writeFileSync(file, whole.subarray(0, whole.length - cut));
    const { memory, map } = await open();
    expect([...map]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    map.set('c', 9);
    await memory.close();
    const again = await open();
    expect([...again.map.keys()]).toEqual(['a', 'b', 'c']);
    await again.memory.close();
  }
  expect(said).toEqual([]);
});

test('damage in the middle is reported: earlier lines are used, and a copy of the file is kept', async () => {
  const first = await open();
  for (let round = 0; round < 3; round++) {
    first.map.set(`k${round}`, round);
    await first.memory.settle();
  }
  await first.memory.close();
  const bytes = readFileSync(file);
  const second = bytes.indexOf('["k1"');
  bytes.fill(0, second, second + 5);
  writeFileSync(file, bytes);
  const { memory, map } = await open();
  expect([...map.keys()]).toEqual(['k0']);
  expect(readFileSync(`${file}.damaged`)).toEqual(bytes);
  expect(said).toEqual([expect.stringContaining(`was damaged: see ${file}.damaged`)]);
  await memory.close();
});

test.each([
  ['another seed', (text: string) => text.replace('"seed":"one"', '"seed":"two"')],
  ['an older format', (text: string) => text.replace('"format":1', '"format":0')],
  ['something else', () => '{"hello":"world"}\n'],
  ['lines that this version does not recognise', (text: string) => `${text}[["unknown",[["a",1]]]]\n`],
])('%s: a new sandbox starts, the old file is set aside, and one line reports it', async (_, rewritten) => {
  const first = await open();
  first.map.set('a', 1);
  await first.memory.close();
  const old = rewritten(readFileSync(file, 'utf8'));
  writeFileSync(file, old);
  const { memory, map, identity } = await open();
  expect(identity).toBeNull();
  expect(map.size).toBe(0);
  map.set('b', 2);
  await memory.close();
  const aside = (await readdir(folder)).filter((name) => name.startsWith('before-'));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(folder, aside[0] ?? '', 'campus.jsonl'), 'utf8')).toBe(old);
  expect(said).toEqual([expect.stringMatching(/starts afresh; the earlier data is in .*before-/)]);
  const again = await open();
  expect([...again.map.keys()]).toEqual(['b']);
  await again.memory.close();
});

test('an empty file, or one without a complete line, means a new sandbox', async () => {
  for (const text of ['', '{"format":1,"se']) {
    writeFileSync(file, text);
    const { memory, identity } = await open();
    expect(identity).toBeNull();
    await memory.close();
  }
});

test('a full disk is reported once; changes are written as soon as there is space again', async () => {
  const { memory, map } = await open();
  rmSync(file);
  await mkdir(file);
  for (let round = 0; round < 3; round++) {
    map.set('a', round);
    await memory.settle();
  }
  expect(said).toEqual([expect.stringMatching(/cannot write to .* will be lost/)]);
  await rmdir(file);
  await memory.close();
  expect(said).toHaveLength(2);
  const again = await open();
  expect([...again.map]).toEqual([['a', 2]]);
  await again.memory.close();
});

test('a file with mostly outdated lines is rewritten without losing anything', async () => {
  const { memory, map } = await open();
  const count = 20_000;
  const sizes: number[] = [];
  for (let round = 0; round < 12; round++) {
    for (let at = 0; at < count; at++) map.set(`key ${at}`, round);
    await memory.settle();
    sizes.push(statSync(file).size);
  }
  expect(Math.max(...sizes)).toBeLessThan((sizes[0] ?? 0) * 8);
  map.set('key 7', -1);
  await memory.close();
  const again = await open();
  expect(again.map.size).toBe(count);
  expect(again.map.get('key 7')).toBe(-1);
  expect(again.map.get('key 8')).toBe(11);
  await again.memory.close();
});

test('a reset during writing leaves nothing of the former sandbox behind', async () => {
  const { memory, map } = await open();
  for (let at = 0; at < 50_000; at++) map.set(`key ${at}`, at);
  const writing = memory.settle();
  map.set('late', 1);
  await Promise.resolve();
  map.clear();
  memory.begin('another campus');
  map.set('new', 1);
  await writing;
  await memory.close();
  const again = await open();
  expect(again.identity).toBe('another campus');
  expect([...again.map.keys()]).toEqual(['new']);
  expect(said).toEqual([]);
  await again.memory.close();
});

test('a folder that another sandbox in this process uses is rejected; an unreadable lock file is not fatal', async () => {
  const { memory } = await open();
  await expect(open()).rejects.toThrow(/in use by process/);
  appendFileSync(join(folder, 'owner.json'), 'garbage');
  await expect(open()).rejects.toThrow(/in use by another process/);
  await memory.close();
  const again = await open();
  await again.memory.close();
});
