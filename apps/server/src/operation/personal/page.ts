/** The operators' page about personal data: `docs/operating/personal-data.md`. */
import { HOLDINGS } from './holdings.ts';

const INTRO = `# Personal data

This page lists the data in LMS Admin that names people, where it is kept, and until when. People and enrolments are in the school's LMS. LMS Admin keeps only
uploads, reviews, the rows that were sent and the answers to them. The content of exports and reviews is removed
sooner than that of other work. The numbers of days are settings: [how long things are kept](settings.md#how-long-things-are-kept).

| table | content | login or name of the administrator | names others | how long it is kept |
|---|---|---|---|---|
`;

const REST = `
## One person

\`\`\`
lms-admin person export FILE WHO [WHO …]     # everything that names the person, as JSON
lms-admin person erase --yes WHO [WHO …]     # removes it
\`\`\`

For WHO, give the login, email address, SIS ID and name of the person, as many as you know. Put values with spaces in quotation marks. The search finds whole
words, and treats capital and small letters alike, so \`5001001\` is not found in \`50010011\`. A name that two people share finds both of them.

**Export.** \`used_lms_admin\` contains what the person did as an administrator, without secrets. \`named_in\` lists every record that names them, with the lines in
question. If a line also names other people, they are in the file too, so read it before you pass it on.

**Erasing.** The command removes the rows, results, messages and files of work that names the person. The entry in Activity stays with its counts, but the import
can no longer be undone. Reviews, uploaded files and drafts that name the person are removed, and so are their rows in the directory. The next refresh adds
these rows again if the person is still in the LMS. If the person used LMS Admin, they are signed out, and a placeholder replaces their login and name, also in
the audit.

The command does nothing if work by or about the person has not ended, or if they have an access record. End the work and remove the record first. The data in the
next table stays, and the command only reports it. A host is named as long as their meetings exist, and the award needs its lists.

| stays | how to remove it |
|---|---|
| hosts and co-hosts of meetings | give the events another host in Zoom Creation |
| lists of the award | upload the list without the person twice, because the previous list is also kept |
| images | delete the link from the course pages, then delete the file in the bucket if you use one |

**Outside the database.** Backups still contain the person. Delete those that are older than the erasure, or erase again after a restore. Your own tools keep the
log, which goes to standard output. Its lines name administrators by login, but never people in files. Nothing changes in the LMS or in Zoom.
`;

/** The page as Markdown. */
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
