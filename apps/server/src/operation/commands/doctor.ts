/** `lms-admin doctor`: whether everything is there that LMS Admin needs, a line each. */
import { counted } from '@lms-admin/domain/numbers';
import { settingViews } from '../../platform/config-view.ts';
import type { CheckState } from '../doctor/check.ts';
import { examine } from '../doctor/doctor.ts';
import type { Command } from './command.ts';

const MARKS: Readonly<Record<CheckState, string>> = { ok: 'ok  ', warn: 'look', fail: 'FAIL', skip: '-   ' };

export const command: Command = {
  usage: 'doctor [--json] [--config]',
  about:
    'checks machine, settings, database and all systems outside; --config shows the settings as understood',
  failed: 'The checks broke off',
  options: { json: { type: 'boolean' }, config: { type: 'boolean' } },
  positionals: [0, 0],
  async run({ options, say }) {
    const json = options.json === true;
    if (options.config === true) {
      const views = settingViews(process.env);
      if (json) say(JSON.stringify(views, null, 2));
      else for (const { name, value, source } of views) say(`${name}=${value ?? ''}  (${source})`);
      return 0;
    }
    const findings = await examine(process.env);
    const failed = findings.filter(({ state }) => state === 'fail').length;
    const warned = findings.filter(({ state }) => state === 'warn').length;
    if (json) say(JSON.stringify({ ok: failed === 0, findings }, null, 2));
    else {
      for (const { check, state, message, next } of findings)
        say(`${MARKS[state]}  ${check}: ${message}${next === '' ? '' : ` ${next}`}`);
      say(
        failed + warned === 0
          ? 'All is well.'
          : `${counted(failed, 'failure')}, ${counted(warned, 'line')} to look at.`,
      );
    }
    return failed === 0 ? 0 : 1;
  },
};
