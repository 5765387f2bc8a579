/** Which release of LMS Admin this is: `version` in the project's package.json, by year, month and number in the month. */
import manifest from '../../../../package.json' with { type: 'json' };

/** As operators know it: in backups, at `/version`, and to other systems. The footer of the console has the version of the specification. */
export const RELEASE = manifest.version;
