/** The directory of a school with 60,000 people: reading it, searching names at every keystroke, and known people without a lookup. */
import type { DirectoryStatus, FoundNames } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { PeopleLine } from '@lms-admin/contract/people';
import { grouped } from '@lms-admin/domain/numbers';
import { Bench, type Figure, healthFigure, seconds, timed, times } from './support.ts';

const LATENCY = 100;
const IN_FLIGHT = 11;
const MEGABYTE = 1_000_000;
const KNOWN = 1_000;
const PASTED = 10_000;
/** Share of the pasted addresses that are not in the copy. */
const UNKNOWN = 0.02;

/** Refreshes the directory, and waits until it is read. */
async function refreshed(bench: Bench): Promise<DirectoryStatus> {
  await bench.fetch(ENDPOINTS.systemDirectoryRefresh, {});
  for (;;) {
    const answer = await bench.fetch(ENDPOINTS.systemDirectory);
    const { data } = (await answer.json()) as { data: DirectoryStatus };
    const [run] = data.runs;
    if (run?.outcome === 'done') return data;
    if (run && run.outcome !== 'open') throw new Error(run.message);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const find = async (bench: Bench, text: string) => {
  const answer = await bench.fetch(`${ENDPOINTS.directoryPeople}?text=${encodeURIComponent(text)}`);
  return ((await answer.json()) as { data: FoundNames }).data;
};

/** Lists every beginning of some people's names, as they are typed. */
function keystrokes(names: readonly string[]): string[] {
  return names.flatMap((name) => Array.from({ length: name.length - 2 }, (_, at) => name.slice(0, at + 3)));
}

async function namesFigure(bench: Bench, people: number): Promise<Figure> {
  const some = (await bench.lms<{ name: string }[]>('/api/v1/accounts/1/users?per_page=60&page=50')).map(
    ({ name }) => name,
  );
  await find(bench, 'prepared');
  const ms: number[] = [];
  for (const text of keystrokes(some)) ms.push((await timed(() => find(bench, text))).ms);
  ms.sort((a, b) => a - b);
  const p99 = ms[Math.ceil(ms.length * 0.99) - 1] ?? Number.NaN;
  return {
    work: `names found at a keystroke, among ${grouped(people)} people (embedded database)`,
    reached: `${p99.toFixed(1)} ms for 99 of 100 keystrokes, ${(ms[ms.length >> 1] ?? 0).toFixed(1)} ms at the median`,
    target: 'within 30 ms',
    met: p99 <= 30,
    note: `${ms.length} keystrokes`,
  };
}

/** Measures the known people in a lookup, and the same people looked up in the LMS: both in one answer. */
async function knownFigure(bench: Bench, emails: readonly string[]): Promise<Figure> {
  let [known, shownMs, found, endMs] = [0, 0, 0, 0];
  const request = { emails, copied: true };
  for await (const { ms, line } of bench.lines<PeopleLine>(ENDPOINTS.peopleLookup, request)) {
    if ('error' in line) throw new Error(line.error.message);
    if (!('asked' in line) || line.result !== 'found') continue;
    if (line.as_of === undefined) [found, endMs] = [found + 1, ms];
    else [known, shownMs] = [known + 1, ms];
  }
  return {
    work: `${grouped(emails.length)} known people shown at ${LATENCY} ms`,
    reached: `${times(endMs / shownMs)} faster than looked up in the LMS (${seconds(shownMs)} and ${seconds(endMs)})`,
    target: '20× faster',
    met: known === emails.length && found === known && endMs / shownMs >= 20,
  };
}

async function pastedFigure(bench: Bench, emails: readonly string[], course: number): Promise<Figure> {
  const unknown = Math.round(PASTED * UNKNOWN);
  const pasted = [
    ...emails.slice(0, PASTED - unknown),
    ...Array.from({ length: unknown }, (_, at) => `nobody${at}@northbridge.example`),
  ];
  // For a removal, observers of people who are added are not looked up.
  const request = { role_id: 3, status: 'deleted', courses: [course], emails: pasted };
  await bench.requests();
  const { ms, plan } = await bench.plan(request);
  const { total } = await bench.requests();
  const limit = 1_000 + (total * LATENCY) / IN_FLIGHT;
  return {
    work: `review of ${grouped(PASTED)} addresses at ${LATENCY} ms, ${grouped(unknown)} of them unknown`,
    reached: `${times(ms / limit)} of 1 s and ${total} calls ÷ ${IN_FLIGHT} (${seconds(ms)})`,
    target: 'within 1×',
    met: ms <= limit && plan.copied !== null,
    note: `${grouped(plan.copied?.count ?? 0)} people from the copy`,
  };
}

/** Runs all measurements of the directory. */
export async function directory(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_SIZE: 'large', DIRECTORY: 'on', SANDBOX_REPORT_MS: '0' });
  try {
    const read = await bench.watched(() => refreshed(bench));
    const people = read.result.counts?.users ?? 0;
    const names = await namesFigure(bench, people);
    const emails: string[] = [];
    for (let page = 1; emails.length < PASTED + KNOWN; page++) {
      const users = await bench.lms<{ login_id?: string; sis_user_id: string | null }[]>(
        `/api/v1/accounts/1/users?per_page=100&page=${page}`,
      );
      if (users.length === 0) break;
      for (const one of users) if (one.login_id && one.sis_user_id) emails.push(one.login_id);
    }
    const [course] = await bench.lms<{ id: number }[]>('/api/v1/accounts/86/courses?per_page=1');
    await bench.latency(LATENCY);
    const known = await knownFigure(bench, emails.slice(PASTED, PASTED + KNOWN));
    const pasted = await pastedFigure(bench, emails, course?.id ?? 0);
    await bench.latency(0);
    const above = read.above / MEGABYTE;
    return [
      {
        work: `directory of ${grouped(people)} people read (embedded database)`,
        reached: `${seconds(read.ms)}, ${above.toFixed(0)} MB above idle`,
        target: 'under 20 s and 150 MB',
        met: read.ms < 20_000 && above < 150,
      },
      healthFigure(read, 'directory'),
      names,
      known,
      pasted,
    ];
  } finally {
    await bench.close();
  }
}
