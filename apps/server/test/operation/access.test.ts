/** `lms-admin access` while a server is running: list, export, import after a review, and emergency access. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { AccessHistory } from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { lmsAdmin } from './command.ts';

/** Several programs are started one after another. */
const PATIENT = { timeout: 400_000 };

let deployment: Deployment;
let folder: string;
beforeAll(async () => {
  [deployment, folder] = await Promise.all([openDeployment(), mkdtemp(join(tmpdir(), 'lms-admin-access-'))]);
});
afterAll(async () => {
  await deployment?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => lmsAdmin(deployment.env, 'access', ...args);

test('the access file is exported and imported, with a review before any change', PATIENT, async () => {
  expect((await run()).said).toMatch(/^alma\.reyes@northbridge\.example {2}active {2}whole school {2}/m);
  const path = join(folder, 'access.json');
  expect(await run('export', path)).toMatchObject({ code: 0 });
  expect((await run('import', path, '--yes')).said).toContain('No one gains or loses access.');

  const file = JSON.parse(await readFile(path, 'utf8')) as { admins: { login: string }[] };
  const admins = file.admins.filter(({ login }) => login !== PEOPLE.noTool);
  const changed = admins.map((one) => (one.login === PEOPLE.helpDesk ? { ...one, user_search: false } : one));
  await writeFile(path, JSON.stringify({ admins: changed }));
  const review = await run('import', path);
  expect(review.said).toContain(`${PEOPLE.helpDesk} loses: user_search`);
  // A person whose record changes without losing a permission is also named.
  expect(review.said).toContain(`${PEOPLE.noTool}: the end date, reason, email or state changes.`);
  expect(review.said).toContain('Nothing was changed. To make these changes, add --yes.');
  const dev = new Browser(`http://localhost:${deployment.port}`);
  await dev.signIn(PEOPLE.helpDesk);
  const searched = async () => (await dev.invoke('accounts/1/users?search_term=alma&per_page=100')).status;
  expect(await searched()).toBe(200);
  expect((await run('import', path, '--yes')).said).toContain('Changed 2 records.');
  await vi.waitFor(async () => expect(await searched()).toBe(403), { timeout: 60_000 });
  expect((await run('list')).said).toMatch(new RegExp(`^${PEOPLE.noTool} {2}disabled`, 'm'));

  await writeFile(path, JSON.stringify({ admins: [] }));
  for (const sure of [[], ['--yes']]) {
    const locked = await run('import', path, ...sure);
    expect([locked.code, locked.said]).toEqual([
      1,
      expect.stringContaining('leave no one who can change access'),
    ]);
  }
});

test('grant restores access, and is recorded in the history', PATIENT, async () => {
  expect((await run('grant', 'no-address')).said).toContain('is not an email address');
  expect(await run('grant', PEOPLE.unknown, '--why', 'Everyone is locked out')).toMatchObject({ code: 0 });
  const hugo = new Browser(`http://localhost:${deployment.port}`);
  await vi.waitFor(() => hugo.signIn(PEOPLE.unknown), { timeout: 60_000 });
  const { data } = (await (await hugo.fetch(ENDPOINTS.accessHistory)).json()) as { data: AccessHistory };
  expect(data.lines[0]).toMatchObject({
    kind: 'grant',
    login: PEOPLE.unknown,
    by: `${userInfo().username} (command)`,
    why: 'Everyone is locked out',
  });
  expect((await run('grant', PEOPLE.unknown)).said).toContain('can already change access');
  expect((await run('grant')).code).toBe(1);
});
