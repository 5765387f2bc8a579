/** `lms-admin doctor`: checks everything that LMS Admin needs, one line each. */
import { counted } from '@lms-admin/domain/numbers';
import { settingViews } from '../../platform/config-view.ts';
import type { CheckState } from '../doctor/check.ts';
import { examine } from '../doctor/doctor.ts';
import type { Command } from './command.ts';

const MARKS: Readonly<Record<CheckState, string>> = { ok: 'ok  ', warn: 'look', fail: 'FAIL', skip: '-   ' };

export const command: Command = {
  usage: 'doctor [--json] [--config]',
  about:
    'checks the machine, settings, database and all outside systems; --config shows how LMS Admin reads the settings',
  failed: 'The checks stopped early',
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
          ? 'No problems found.'
          : `${counted(failed, 'failure')}, ${counted(warned, 'warning')}.`,
      );
    }
    return failed === 0 ? 0 : 1;
  },
};
