/** The operators' page about personal data: `docs/operating/personal-data.md`. */
import { HOLDINGS } from './holdings.ts';

const INTRO = `# Personal data

This page lists the data in LMS Admin that names people, where it is kept, and for how long. People and enrolments are kept in the school's LMS. LMS Admin keeps only
uploads, reviews, the rows that were sent and the answers to them. The content of exports and reviews is removed
sooner than that of other work. You set the numbers of days in the settings: [how long things are kept](settings.md#how-long-things-are-kept).

| table | content | names the administrator | names others | how long |
|---|---|---|---|---|
`;

const REST = `
## One person

\`\`\`
lms-admin person export FILE WHO [WHO …]     # everything that names the person, as JSON
lms-admin person erase --yes WHO [WHO …]     # removes it
\`\`\`

For WHO, give as many as you know of the person's login, email address, SIS ID and name. Put values with spaces in quotation marks. The search finds only whole
words, so \`5001001\` is not found in \`50010011\`. It ignores upper and lower case. If two people have the same name, the search finds both.

**Export.** \`used_lms_admin\` contains what the person did as an administrator, without secrets. \`named_in\` lists every record that names the person, with the lines in
question. If a line also names other people, they are in the file too, so read the file before you pass it on.

**Erasing.** The command removes the rows, results, messages and files of work that names the person. The entry in Activity is kept with its numbers, but the import
cannot be undone any more. Reviews, uploaded files and drafts that name the person are removed, and so are their rows in the directory. The next refresh adds
these rows again if the person is still in the LMS. If the person used LMS Admin, they are signed out, and a placeholder replaces their login and name, including in
the audit.

The command does nothing if work by or about the person has not ended, or if they have an access record. End the work and remove the record first. The data in the
next table is kept, and the command only reports it: a host is named as long as their meetings exist, and the award needs its lists.

| what is kept | how to remove it |
|---|---|
| hosts and co-hosts of meetings | give the events another host in Zoom Creation |
| award lists | upload the list without the person twice, because the previous list is also kept |
| images | delete the link from the course pages, then delete the file in the bucket if you use one |

**Outside the database.** Backups still contain the person. Delete those that are older than the erasure, or erase again after a restore. Your own tools keep the
log, which goes to standard output. Its lines name administrators by login, but never people in files. Nothing changes in the LMS or in Zoom.
`;

/** Returns the page as Markdown. */
export function personalDataPage(): string {
  const rows = Object.entries(HOLDINGS).flatMap(([table, { about, until, of, columns }]) => {
    const holds = Object.values(columns);
    const own = holds.some((one) => one === 'login' || one === 'name');
    const others = holds.includes('content');
    if (!own && !others) return [];
    const stays = of?.record === 'kept' && others ? 'yes, not erased' : 'yes';
    return `| \`${table}\` | ${about} | ${own ? 'yes' : 'no'} | ${others ? stays : 'no'} | ${until} |`;
  });
  return `${INTRO}${rows.join('\n')}\n${REST}`;
}
