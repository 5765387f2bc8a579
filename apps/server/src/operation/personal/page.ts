/** The page for operators about what names people: `docs/operating/personal-data.md`. */
import { HOLDINGS } from './holdings.ts';

const INTRO = `# Personal data

What LMS Admin keeps that names people, where, and until when. It works on the school's LMS: people and enrolments stay there, and only what was uploaded,
reviewed, sent or answered is kept here. The days are settings: [how long things are kept](settings.md#how-long-things-are-kept).

| table | what is in it | login or name of the administrator | names others | until |
|---|---|---|---|---|
`;

const REST = `
## One person

\`\`\`
lms-admin person export FILE WHO [WHO …]     # everything that names the person, as JSON
lms-admin person erase --yes WHO [WHO …]     # removes it
\`\`\`

WHO is whatever the person is known by: login, email address, SIS ID, name. Give all of them, each in quotation marks where it has a space. A text is found as a
whole word, whatever its capitals: \`5001001\` is not found in \`50010011\`. A name that two people share finds both.

**Export.** \`used_lms_admin\` holds what the person did as an administrator, without secrets. \`named_in\` lists every record that names them, with the lines that
do. The file names others too where they are in the same line: read it before you pass it on.

**Erasing.** Rows, results, messages and files of work that names the person are removed as if their time was over: the entry in Activity stays with its counts,
and the import cannot be undone any more. Reviews, uploaded files and drafts that name them are removed. Someone who used LMS Admin is signed out, and
their login and name are replaced by ones that belong to no one, also in the audit. Work that has not ended stops the command, and so does an access
record: remove it first. Their rows of the directory are removed as well; the next refresh has them again if they are still in the LMS. What is marked *stays* below is only reported: a host is named as long as their meetings exist, and the lists of the award are what
the award is about.

| stays | how it goes |
|---|---|
| hosts and co-hosts of meetings | give the events another host in Zoom Creation |
| lists of the award | upload the list without the person, twice: the former list is kept too |
| images | delete the link from the course pages; the file can be removed in the bucket |

**Beyond the database.** Backups hold what they held: delete those that are older than the erasure, or erase again after a restore. The log goes to standard
output and is kept by your own tools: its lines name administrators by login, never people in files. In the LMS and in Zoom nothing is changed.
`;

/** As Markdown. */
export function personalDataPage(): string {
  const rows = Object.entries(HOLDINGS).flatMap(([table, { about, until, of, columns }]) => {
    const holds = Object.values(columns);
    const own = holds.some((one) => one === 'login' || one === 'name');
    const others = holds.includes('content');
    if (!own && !others) return [];
    const stays = of?.record === 'kept' && others ? 'yes, stays' : 'yes';
    return `| \`${table}\` | ${about} | ${own ? 'yes' : 'no'} | ${others ? stays : 'no'} | ${until} |`;
  });
  return `${INTRO}${rows.join('\n')}\n${REST}`;
}
