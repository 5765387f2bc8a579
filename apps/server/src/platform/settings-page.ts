/** The settings for people: `docs/operating/settings.md`, and `.env.example` to begin with. */

import { mayBeInFile } from './secret-files.ts';
import { settingDefault } from './settings.ts';
import { SETTING_GROUPS, type SettingGuide } from './settings-guide.ts';

const INTRO = `# Settings

Environment variables. In practice mode none is needed. With an LMS on another machine those marked ● have to be there. What is missing, malformed or
contradicts another one stops the start, which names all of it at once, with what it should hold; \`lms-admin doctor\` does the same
without a start, and \`lms-admin doctor --config\` shows what is understood. Those marked ◇ can be kept in a file instead: \`LMS_ADMIN_KEY_FILE=/run/secrets/key\`
names the one that holds \`LMS_ADMIN_KEY\`, and so for each. [\`.env.example\`](../../.env.example) has all of them to begin with.
`;

/** The page of the operators' guide, as Markdown. */
export function settingsPage(): string {
  const groups = SETTING_GROUPS.map(({ title, about, settings }) => {
    const rows = settings.map(
      (one) =>
        `| \`${one.name}\`${one.required ? ' ●' : ''}${mayBeInFile(one.name) ? ' ◇' : ''} | ${one.does} | ${unsetOf(one)} | \`${one.example.replaceAll('|', '\\|')}\` |`,
    );
    const table = ['| name | what it does | without it | example |', '|---|---|---|---|', ...rows].join('\n');
    return [`## ${title}`, ...(about ? [about] : []), table].join('\n\n');
  });
  return `${[INTRO.trimEnd(), ...groups].join('\n\n')}\n`;
}

/** A file of settings in which everything is commented out. */
export function envExample(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) =>
    [
      `# --- ${title}`,
      ...settings.map(
        ({ name, does, example, required }) =>
          `\n# ${plain(does)}${required ? ' Needed with an LMS on another machine.' : ''}${mayBeInFile(name) ? ` Or ${name}_FILE, the file that holds it.` : ''}\n#${name}=${example}`,
      ),
    ].join('\n'),
  );
  return `${['# Settings of LMS Admin. What they are: docs/operating/settings.md', ...groups].join('\n\n')}\n`;
}

const unsetOf = ({ name, unset }: SettingGuide): string => unset ?? settingDefault(name) ?? 'none';

const plain = (markdown: string): string =>
  markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
