/** Two servers on one LMS, one with the directory and one without it. */
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { type DirectoryTest, startDirectoryTest } from './support.ts';

export interface TwoServers {
  ts: DirectoryTest;
  plain: TestServer;
  campus: Campus;
  /** The same administrator, signed in on the server with the directory and on the one without it. */
  withCopy: Browser;
  without: Browser;
}

export async function startTwoServers(): Promise<TwoServers> {
  const ts = await startDirectoryTest({ throttle: false });
  const plain = await startTestServer({ lms: ts.sandbox });
  return {
    ts,
    plain,
    campus: new Campus(ts.sandbox),
    withCopy: await ts.signIn(PEOPLE.all),
    without: await plain.signIn(PEOPLE.all),
  };
}

/** Submits a plan, unless it has no rows. Returns the texts of its result. */
export async function resultOf(
  browser: Browser,
  plan: { id: string; totals: { rows: number } },
): Promise<string> {
  if (plan.totals.rows === 0) return '';
  const { id } = await submitted(browser, { plan: plan.id });
  const { note, processing_errors } = await watch(browser, id);
  return [note ?? '', ...processing_errors.map(([, text]) => text)].join('\n');
}
