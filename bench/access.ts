/** Access with many people: the page, a check, and who can do something, over HTTP. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { Bench, type Figure, median, timed } from './support.ts';

const PEOPLE = 2_000;
const PROGRAMMES = 200;
const ROUNDS = 15;
const MOST_MS = 100;

/** Measures the answers with 2,000 records in 200 programmes: each must take less than 100 ms. */
export async function access(): Promise<Figure[]> {
  const bench = await Bench.open();
  try {
    await bench.imported(accounts());
    const account = await bench.lms<{ id: number }>('/api/v1/accounts/sis_account_id:BENCH-7');
    const { data: places } = (await (await bench.fetch(ENDPOINTS.accessPlaces)).json()) as {
      data: { accounts: { id: number; name: string }[] };
    };
    const ids = places.accounts.filter(({ name }) => name.startsWith('Bench')).map(({ id }) => id);
    await bench.fetch(ENDPOINTS.accessSave, { changes: records(ids), why: 'bench' });
    const question = `action=course-remove&role=3&account=${account.id}`;
    const person = encodeURIComponent('p7@bench.example');
    const asked: [string, string][] = [
      ['the page of people', ENDPOINTS.accessPeople],
      ['everything that a person can do', `${ENDPOINTS.accessCheck}?person=${person}`],
      ['one question', `${ENDPOINTS.accessQuestion}?person=${person}&${question}`],
      ['everyone who can act in a programme', `${ENDPOINTS.accessWho}?${question}`],
    ];
    const figures: Figure[] = [];
    for (const [work, path] of asked) figures.push(await figureOf(bench, work, path));
    return figures;
  } finally {
    await bench.close();
  }
}

async function figureOf(bench: Bench, work: string, path: string): Promise<Figure> {
  const ask = async () => (await bench.fetch(path)).text();
  const first = await ask();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push((await timed(ask)).ms);
  return {
    work: `${work}, ${PEOPLE.toLocaleString('en')} records, ${PROGRAMMES} programmes`,
    reached: `${median(all).toFixed(0)} ms`,
    target: `under ${MOST_MS} ms`,
    met: median(all) < MOST_MS,
    note: `${Math.round(first.length / 1_000)} kB`,
  };
}

function accounts(): string {
  const rows = Array.from({ length: PROGRAMMES }, (_, at) => `BENCH-${at},,Bench ${at},active`);
  return ['account_id,parent_account_id,name,status', ...rows].join('\n');
}

function records(ids: readonly number[]) {
  return Array.from({ length: PEOPLE }, (_, at) => ({
    login: `p${at}@bench.example`,
    version: null,
    reason: 'Bench',
    record: {
      perm: 'CUSTOM',
      email: `p${at}@bench.example`,
      sub_accounts: [0, 1, 2].map((step) => ids[(at + step) % ids.length]).join(','),
      roles: '3,5',
      section_roles: '3',
      course_level_admin: at % 2 === 0,
      section_enrollment: true,
    },
  }));
}
