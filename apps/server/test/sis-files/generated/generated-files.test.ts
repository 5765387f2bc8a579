/**
 * The review of a file matches its effect: random files of all tables, based on the current sandbox, pass
 * through the product one after another. Each announcement is compared with the difference between two
 * snapshots of the LMS (SIS-06, OP-53).
 */
import { afterAll, beforeAll, test } from 'vitest';
import type { Browser } from '../../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../../support/harness.ts';
import { differences } from './comparison.ts';
import { drive, told } from './drive.ts';
import { printed } from './file.ts';
import { nextFile } from './generator.ts';
import { Chance, Pool } from './stage.ts';

const FILES = Number(process.env['SIS_FILES'] ?? 40);
const SEED = Number(process.env['SIS_SEED'] ?? 1);

/** The account of LMS Admin itself. */
const SERVICE = 'lms.service@northbridge.example';

let ts: TestServer;
let alma: Browser;
let pool: Pool;
const chance = new Chance(SEED);

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  alma = await ts.signIn(PEOPLE.all);
  const { world } = ts.sandbox;
  const spared = new Set(
    [...Object.values(PEOPLE), SERVICE].flatMap((login) =>
      world.pseudonyms.by.login.get(login).map((one) => one.user_id),
    ),
  );
  pool = new Pool(chance, world, spared);
});
afterAll(() => ts?.close());

test.each(Array.from({ length: FILES }, (_, at) => at + 1))(
  `SIS-06: the effect of file %i of seed ${SEED} matches its review`,
  async (number) => {
    const file = nextFile(chance, ts.sandbox.world, pool, `${SEED}-${number}`);
    const { sent, found } = await drive(ts, alma, file);
    const all = [...found, ...(sent ? differences(sent) : [])];
    if (all.length > 0) {
      const what = all.map((one) => `  * ${one}`).join('\n');
      const parts = [
        `seed ${SEED}, file ${number}: ${all.length} differences`,
        what,
        printed(file),
        told(sent),
      ];
      throw new Error(parts.join('\n'));
    }
  },
);
