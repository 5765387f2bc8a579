/**
 * Starts the installed web servers of docs/operating with their sample configurations, replacing only names,
 * ports and certificates.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { stop } from './processes.ts';

const CERTIFICATE = resolve('apps/server/test/operation/certificate.pem');
const APACHE_MODULES = '/usr/lib/apache2/modules';
const MODULES = [
  'mpm_event',
  'ssl',
  'http2',
  'proxy',
  'proxy_http',
  'headers',
  'alias',
  'authz_core',
  'socache_shmcb',
];

export interface ProxyPorts {
  /** The port of the server behind the proxy. */
  server: number;
  http: number;
  https: number;
}

interface ProxyKind {
  sample: string;
  program: string;
  /** The sample for these ports, with the configuration that it needs around it. */
  configuration: (sample: string, ports: ProxyPorts, folder: string) => string;
  /** Starts the program in the foreground. */
  command: (configuration: string, folder: string) => string[];
}

const own = (sample: string, { server, http, https }: ProxyPorts) =>
  sample
    .replaceAll('lms-admin.example.edu', 'localhost')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${server}`)
    .replaceAll(/\/etc\/ssl\/lms-admin\/\w+\.pem/g, CERTIFICATE)
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `)
    .replaceAll('<VirtualHost *:80>', `<VirtualHost *:${http}>`)
    .replaceAll('<VirtualHost *:443>', `<VirtualHost *:${https}>`);

export const PROXIES: Readonly<Record<string, ProxyKind>> = {
  nginx: {
    sample: 'nginx.conf',
    program: 'nginx',
    configuration: (sample, ports, folder) =>
      `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${[
        'client_body',
        'proxy',
        'fastcgi',
        'uwsgi',
        'scgi',
      ]
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n')}\n${own(sample, ports)}\n}\n`,
    command: (configuration, folder) => ['-c', configuration, '-p', folder, '-g', 'daemon off;'],
  },
  Apache: {
    sample: 'apache.conf',
    program: 'apache2',
    configuration: (sample, ports, folder) =>
      [
        `ServerRoot ${folder}`,
        `PidFile ${folder}/pid`,
        `DefaultRuntimeDir ${folder}`,
        `ErrorLog ${folder}/error.log`,
        'ServerName localhost',
        ...MODULES.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`),
        // Apache refuses to answer as root.
        ...(process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []),
        `Listen 127.0.0.1:${ports.http}`,
        `Listen 127.0.0.1:${ports.https}`,
        own(sample, ports),
      ].join('\n'),
    command: (configuration) => ['-X', '-f', configuration],
  },
  Caddy: {
    sample: 'Caddyfile',
    program: 'caddy',
    configuration: (sample, ports) =>
      `{\n\tadmin off\n\tauto_https disable_certs\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n}\n${own(
        sample,
        ports,
      ).replace('localhost {', `https://localhost:${ports.https} {\n\ttls ${CERTIFICATE} ${CERTIFICATE}`)}`,
    command: (configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
  },
};

/** Returns the program's path, or null if it is not installed. */
export function installed(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

export const sampleOf = ({ sample }: ProxyKind): Promise<string> =>
  readFile(join('docs/operating', sample), 'utf8');

export interface Proxy {
  origin: string;
  close(): Promise<void>;
}

/** @param ports free ports, except the server's own */
export async function startProxy(kind: ProxyKind, ports: ProxyPorts): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-admin-proxy-'));
  const configuration = join(folder, 'configuration');
  await mkdir(join(folder, 'logs'));
  await writeFile(configuration, kind.configuration(await sampleOf(kind), ports, folder));
  const child = spawn(installed(kind.program) ?? kind.program, kind.command(configuration, folder), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await answers(child, ports.https);
  return {
    origin: `https://localhost:${ports.https}`,
    async close() {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePorts(server: number): Promise<ProxyPorts> {
  return { server, http: await freePort(), https: await freePort() };
}

/** Waits until the program accepts connections. @throws its output if it ends before that */
async function answers(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}:\n${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function isOpen(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    }).on('error', () => done(false));
  });
}
