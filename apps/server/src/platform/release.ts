/** The release of LMS Admin: `version` in the project's package.json, as year, month and number within the month. */
import manifest from '../../../../package.json' with { type: 'json' };

/**
 * Release for operators: in backups, at `/version`, and in calls to other systems. The console's footer shows the
 * version of the specification instead.
 */
export const RELEASE = manifest.version;
