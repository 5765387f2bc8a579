/** Background jobs: a queue in the database (pg-boss). A job survives the end of its process and may be run twice. */

import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from './database.ts';

export interface Jobs {
  /**
   * Has jobs of this name done by this process, a few at a time. A handler that fails is tried again later; it must bear
   * being run twice with the same data.
   */
  work<T extends object>(name: string, handler: (data: T) => Promise<void>): Promise<void>;
  /** Hands a job to whichever process is free; this one looks at once. */
  send(name: string, data: object): Promise<void>;
  /** Runs the handler at the times of a cron line (UTC), in one process of all. */
  schedule(name: string, cron: string, handler: () => Promise<void>): Promise<void>;
  /** Takes no more jobs, waits for the running ones (at most some seconds). */
  stop(): Promise<void>;
}

/** Seconds between two looks at a queue; jobs of this process are announced and need no look. */
const LOOK_SECONDS = 2;
/** Seconds after which a job counts as lost with its process and is given out again. */
const LOST_SECONDS = 120;
/** Jobs fetched together. */
const BATCH = 10;

/** Starts the queue on the database that is open. */
export async function openJobs(database: Database, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.exec(text, values) },
    // Looking after its own tables once a minute is often enough, and each look holds up the embedded database.
    maintenanceIntervalSeconds: 300,
    monitorStateIntervalSeconds: 60,
    clockMonitorIntervalSeconds: 300,
    archiveCompletedAfterSeconds: 3_600,
    deleteAfterDays: 1,
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: LOST_SECONDS,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  await boss.start();
  const workers = new Map<string, string>();

  const work: Jobs['work'] = async (name, handler) => {
    await boss.createQueue(name);
    const id = await boss.work(
      name,
      { pollingIntervalSeconds: LOOK_SECONDS, batchSize: BATCH },
      async (jobs: PgBoss.Job<Parameters<typeof handler>[0]>[]) => {
        await Promise.all(jobs.map((job) => handler(job.data)));
      },
    );
    workers.set(name, id);
  };

  return {
    work,
    async send(name, data) {
      await boss.send(name, data);
      const worker = workers.get(name);
      if (worker) boss.notifyWorker(worker);
    },
    async schedule(name, cron, handler) {
      await work(name, handler);
      await boss.schedule(name, cron);
    },
    async stop() {
      await boss.stop({ graceful: true, wait: true, timeout: 5_000, close: false });
    },
  };
}
