/** Documentation of the settings: `docs/operating/settings.md`, and `.env.example` as a starting point. */

import { mayBeInFile } from './secret-files.ts';
import { settingDefault } from './settings.ts';
import { SETTING_GROUPS, type SettingGuide } from './settings-guide.ts';

const INTRO = `# Settings

Settings are environment variables. Practice mode does not need any. If the LMS is on another machine, the settings marked ● are required.

If a setting is missing, malformed or contradicts another one, LMS Admin does not start. It names every such setting and says what its value should be.
\`lms-admin doctor\` checks the settings without starting LMS Admin, and \`lms-admin doctor --config\` shows how LMS Admin reads them.

Settings marked ◇ can be kept in a file instead. For example, \`LMS_ADMIN_KEY_FILE=/run/secrets/key\` names the file that contains
\`LMS_ADMIN_KEY\`. You can begin with a copy of [\`.env.example\`](../../.env.example), which lists all settings.
`;

/** Returns the page of the operators' guide, as Markdown. */
export function settingsPage(): string {
  const groups = SETTING_GROUPS.map(({ title, about, settings }) => {
    const rows = settings.map(
      (one) =>
        `| \`${one.name}\`${one.required ? ' ●' : ''}${mayBeInFile(one.name) ? ' ◇' : ''} | ${one.does} | ${unsetOf(one)} | \`${one.example.replaceAll('|', '\\|')}\` |`,
    );
    const table = ['| name | what it does | default | example |', '|---|---|---|---|', ...rows].join('\n');
    return [`## ${title}`, ...(about ? [about] : []), table].join('\n\n');
  });
  return `${[INTRO.trimEnd(), ...groups].join('\n\n')}\n`;
}

/** Writes a file of settings with every line commented out. */
export function envExample(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) =>
    [
      `# --- ${title}`,
      ...settings.map(
        ({ name, does, example, required }) =>
          `\n# ${plain(does)}${required ? ' Required if the LMS is on another machine.' : ''}${mayBeInFile(name) ? ` Or set ${name}_FILE to the file that contains it.` : ''}\n#${name}=${example}`,
      ),
    ].join('\n'),
  );
  return `${['# Settings of LMS Admin, explained in docs/operating/settings.md', ...groups].join('\n\n')}\n`;
}

const unsetOf = ({ name, unset }: SettingGuide): string => unset ?? settingDefault(name) ?? 'none';

const plain = (markdown: string): string =>
  markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
