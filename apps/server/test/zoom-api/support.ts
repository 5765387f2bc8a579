/** A practice Zoom and clients for it, for tests. */
import { type Sandbox, type SandboxOptions, startSandbox } from '@lms-admin/sandbox/server';
import { expect } from 'vitest';
import { practiceZoom, type ZoomSettings } from '../../src/platform/zoom-settings.ts';
import { createZoomClient, type ZoomOptions } from '../../src/zoom-api/client.ts';
import { type NewMeeting, type ZoomClient, ZoomError } from '../../src/zoom-api/types.ts';

/** Hosts in the practice Zoom. All except Carla let the default owner schedule for them. */
export const HOSTS = {
  standard: 'lms.admin@northbridge.example',
  alma: 'alma.reyes@northbridge.example',
  bruno: 'bruno.keller@northbridge.example',
  hugo: 'hugo.tan@northbridge.example',
  farid: 'farid.noor@northbridge.example',
  carla: 'carla.singh@northbridge.example',
  /** A user without a licence. */
  greta: 'greta.lind@northbridge.example',
  /** An inactive user. */
  dev: 'dev.oduya@northbridge.example',
  /** A pending user. */
  elena: 'elena.marsh@northbridge.example',
} as const;

interface Seen {
  method: string;
  path: string;
  status: number | null;
}

export interface PracticeZoom {
  sandbox: Sandbox;
  open(settings?: Partial<ZoomSettings>, options?: ZoomOptions): ZoomClient;
  /** Calls one of the sandbox's control routes with JSON. */
  handle<T = unknown>(path: string, method?: string, body?: object): Promise<T>;
  /** Calls received by Zoom since the last reading. */
  seen(): Promise<Seen[]>;
  fault(fault: object): Promise<unknown>;
  /** Resets to the seed, and removes all clients. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function startZoom(options: Partial<SandboxOptions> = {}): Promise<PracticeZoom> {
  const sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false, ...options });
  const opened: ZoomClient[] = [];
  async function handle<T>(path: string, method = 'GET', body?: object): Promise<T> {
    const answer = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}`).toBe(true);
    return (await answer.json()) as T;
  }
  const closeClients = async () => {
    for (const client of opened.splice(0)) await client.close();
  };
  return {
    sandbox,
    handle,
    open(settings = {}, more = {}) {
      const client = createZoomClient({ ...practiceZoom(sandbox.url), ...settings }, more);
      opened.push(client);
      return client;
    },
    async seen() {
      const { requests } = await handle<{ requests: Seen[] }>('requests?system=zoom');
      await handle('requests?system=zoom', 'DELETE');
      return requests.map(({ method, path, status }) => ({
        method,
        path: path.replace('/zoom', ''),
        status,
      }));
    },
    fault: (fault) => handle('faults', 'POST', { system: 'zoom', ...fault }),
    async reset() {
      await closeClients();
      sandbox.reset();
      await handle('faults', 'DELETE');
      await handle('requests?system=zoom', 'DELETE');
    },
    async close() {
      await closeClients();
      await sandbox.close();
    },
  };
}

/** Describes a meeting next week. */
export function lecture(more: Partial<NewMeeting> = {}): NewMeeting {
  const start = new Date(Date.now() + 7 * 86_400_000);
  start.setUTCMinutes(0, 0, 0);
  return {
    topic: 'Corporate finance',
    marker: '[lms-admin 0a1b2c3d]',
    start: start.toISOString(),
    duration: 90,
    zone: 'Europe/Paris',
    coHosts: [],
    ...more,
  };
}

/** Returns the error that the work fails with. */
export async function zoomFailure(work: Promise<unknown>): Promise<ZoomError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ZoomError);
  return error as ZoomError;
}
