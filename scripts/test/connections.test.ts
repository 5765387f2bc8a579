/** The check that only `outbound/` opens connections recognises every way to open one. */
import { describe, expect, it } from 'vitest';
import { type ConnectionRule, connectionsIn } from '../connections.mjs';

const rule: ConnectionRule = {
  builtIns: ['http', 'https', 'net', 'child_process'],
  globals: ['fetch', 'WebSocket'],
  quiet: [/^zod$/, /^@fastify\//],
};

describe('ways to open a connection', () => {
  it.each([
    ['await fetch("https://school.example")', 'uses fetch'],
    ['const get = fetch;', 'uses fetch'],
    ['export const parts = { fetch };', 'uses fetch'],
    ['export default { get: fetch }', 'uses fetch'],
    ['function ask(reach = fetch) { return reach; }', 'uses fetch'],
    ['const { fetch: get } = globalThis;', 'uses globalThis'],
    ['globalThis["fet" + "ch"]("x")', 'uses globalThis'],
    ['window.open(global.fetch)', 'uses global'],
    ['new WebSocket("wss://school.example")', 'uses WebSocket'],
    ['class Feed extends WebSocket {}', 'uses WebSocket'],
    ['import { request } from "node:http";', 'imports node:http'],
    ['import net from "net";', 'imports net'],
    ['import "node:https";', 'imports node:https'],
    ['export { connect } from "node:net";', 'imports node:net'],
    ['export * from "undici";', 'imports undici'],
    ['import type { Pool } from "undici";', 'imports undici'],
    ['import axios from "axios";', 'imports axios'],
    ['import { S3Client } from "@aws-sdk/client-s3";', 'imports @aws-sdk/client-s3'],
    ['const { get } = await import("node:http");', 'imports node:http'],
    ['const name = "undici"; await import(name);', 'imports something known only at run time'],
    ['const http = require("node:http");', 'uses require'],
    [
      'import { createRequire } from "node:module"; createRequire(import.meta.url)("net");',
      'uses createRequire',
    ],
    ['process.getBuiltinModule("node:net")', 'uses getBuiltinModule'],
    ['eval("fetch")', 'uses eval'],
    ['import { spawn } from "node:child_process";', 'imports node:child_process'],
  ])('%s', (source, found) => {
    expect(connectionsIn(source, rule)).toContain(found);
  });
});

it('accepts everything else', () => {
  const source = `
    import { z } from 'zod';
    import cookie from '@fastify/cookie';
    import { readFile } from 'node:fs/promises';
    import { other } from './fetch.ts';
    interface Client { fetch: string; global(): void }
    class Room { fetch() { return this.fetch; } }
    export const client = { fetch: other, WebSocket: 1, require: true };
    client.fetch; other({ fetch: 'fetch' });
    export const text = 'fetch(http)';
    export { other as fetch };
  `;
  expect(connectionsIn(source, rule)).toEqual([]);
});

it('accepts names that a file is allowed to use', () => {
  const source = 'import pg from "pg"; import net from "node:net";';
  expect(connectionsIn(source, rule, ['pg'])).toEqual(['imports node:net']);
});
