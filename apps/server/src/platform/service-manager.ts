/**
 * Reports to systemd that the server is ready, is stopping, or is still working. systemd listens on a datagram
 * socket, which Node.js does not offer, so its own program `systemd-notify` sends the reports.
 */
import { execFile } from 'node:child_process';

/** Reports per watchdog period, so that one late report does not end the server. */
const REPORTS_PER_PERIOD = 3;

export interface ServiceManager {
  /** Reports that the server is ready, and from then on that it still works. */
  ready(): void;
  stopping(): void;
}

/** @param env of the process; without `NOTIFY_SOCKET`, nothing is reported */
export function serviceManagerOf(env: NodeJS.ProcessEnv): ServiceManager {
  if (!env.NOTIFY_SOCKET) return { ready() {}, stopping() {} };
  let told = false;
  function report(what: string): void {
    execFile('systemd-notify', [what], (error) => {
      if (error && !told) console.error(`systemd cannot be told "${what}": ${error.message.trim()}`);
      told ||= error !== null;
    });
  }
  const periodMs = Number(env.WATCHDOG_USEC ?? 0) / 1_000;
  return {
    ready() {
      report('READY=1');
      if (periodMs > 0) setInterval(() => report('WATCHDOG=1'), periodMs / REPORTS_PER_PERIOD).unref();
    },
    stopping: () => report('STOPPING=1'),
  };
}
