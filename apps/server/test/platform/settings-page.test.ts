/**
 * The settings as people read them: complete, with valid examples, and matching the files in the repository.
 */
import { readSettings, SANDBOX_SETTING_NAMES } from '@lms-admin/sandbox/config';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { SETTING_NAMES } from '../../src/platform/settings.ts';
import { SETTING_GROUPS } from '../../src/platform/settings-guide.ts';
import { envExample, settingsPage } from '../../src/platform/settings-page.ts';

const all = SETTING_GROUPS.flatMap(({ settings }) => settings);
const ROOT = '../../../..';

test('every setting appears once, and no others', () => {
  const known = [...new Set([...SETTING_NAMES, ...SANDBOX_SETTING_NAMES])];
  expect(all.map(({ name }) => name).sort()).toEqual(known.sort());
});

describe('examples', () => {
  test.each(all.filter(({ name }) => SETTING_NAMES.includes(name)))('$name=$example', ({ name, example }) => {
    // An example may need other settings as well, but must not cause an error about itself.
    let problems: readonly string[] = [];
    try {
      loadConfig({ [name]: example });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      ({ problems } = error);
    }
    expect(problems.filter((problem) => problem.startsWith(`${name} should`))).toEqual([]);
  });

  test.each(all.filter(({ name }) => SANDBOX_SETTING_NAMES.includes(name)))('$name=$example', (one) => {
    expect(() => readSettings({ [one.name]: one.example })).not.toThrow();
  });
});

test('the page and the example file match the list; `npm run settings` writes them', async () => {
  await expect(settingsPage()).toMatchFileSnapshot(`${ROOT}/docs/operating/settings.md`);
  await expect(envExample()).toMatchFileSnapshot(`${ROOT}/.env.example`);
});
