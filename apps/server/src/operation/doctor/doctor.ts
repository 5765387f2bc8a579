/** Checks everything that LMS Admin needs, without changing anything. */
import { type Finding, skip } from './check.ts';
import { databaseFindings } from './database.ts';
import { lmsFindings } from './lms.ts';
import { machineFindings } from './machine.ts';
import { publicFindings, systemFindings } from './outside.ts';
import { accessFindings, keyFindings, settingsFindings } from './settings.ts';

const ASLEEP = skip(
  'lms',
  'The practice LMS is not running.',
  '"npm start" starts it, together with LMS Admin.',
);

export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { config, findings } = settingsFindings(env);
  const machine = await machineFindings(config?.dataFolder ?? (env.LMS_ADMIN_DATA || 'var'));
  if (config === null) {
    const rest = skip(
      'rest',
      'The database and outside systems were not checked.',
      'Correct the settings first.',
    );
    return [...machine, ...findings, rest];
  }
  const { secrets, findings: key } = await keyFindings(config);
  const [access, database, lms] = await Promise.all([
    accessFindings(config),
    databaseFindings(config, secrets),
    lmsFindings(config),
  ]);
  // The practice LMS acts as all other systems, and runs only with the server.
  const isAsleep = config.practice && lms.some(({ state }) => state === 'fail') && !database.serverRuns;
  if (isAsleep) return [...machine, ...findings, ...access, ...key, ...database.findings, ASLEEP];
  const systems = await systemFindings(config);
  const site = await publicFindings(config, database.serverRuns);
  return [...machine, ...findings, ...access, ...key, ...database.findings, ...lms, ...systems, ...site];
}
