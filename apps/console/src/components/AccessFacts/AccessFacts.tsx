import type { PersonAccess } from '@lms-admin/contract/access';
import { toolById } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { Facts } from '../Facts.tsx';
import { toolName } from '../Job/job-words.ts';
import { momentFormat } from '../moments.ts';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** Level of the headings: one below the heading above them. */
type Level = 'h2' | 'h3';
type ToolLine = PersonAccess['tools'][number];

const nameOf = ({ tool }: ToolLine) =>
  toolName(tool, { 'award-import': 'Best Teaching Award Import', system: 'System' });

const COLUMNS: readonly Column<ToolLine>[] = [
  { id: 'tool', header: texts.tool, value: nameOf, width: '40%', wrap: true },
  { id: 'may', header: texts.can, value: ({ may }) => (may ? texts.yes : texts.no), filter: 'choice' },
  { id: 'why', header: texts.why, value: ({ words }) => words, width: '40%', wrap: true },
];
const toolKey = ({ tool }: ToolLine) => tool;

/** A person's access, its limits, and what they can see. Nothing here acts on behalf of that person. */
export function AccessFacts({ access, level }: { access: PersonAccess; level: Level }) {
  const { userProfile } = useProfile();
  const moment = momentFormat(userProfile.time_zone);
  const { state, everywhere, programmes, reason, expires_at } = access;
  const where = everywhere
    ? texts.everywhere
    : programmes.map(({ id, name }) => name ?? texts.unnamed(id)).join(', ') || texts.nowhere;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Facts
        label={texts.facts}
        facts={[
          [texts.state, texts.states[state]],
          [texts.reach, where],
          [texts.ends, expires_at === null ? texts.never : moment(expires_at)],
          [texts.reason, reason === '' ? texts.noReason : reason],
        ]}
      />
      {access.names_missing && <Notice tone="warning" title={texts.namesMissing} />}
      <Tabs tools={access.tools} level={level} />
      <Part level={level} title={texts.programmes}>
        {everywhere ? (
          <Typography>{texts.programmesAll}</Typography>
        ) : programmes.length === 0 ? (
          <Typography>{texts.programmesNone}</Typography>
        ) : (
          <Chips
            label={texts.programmes}
            names={programmes.map(({ id, name }) => name ?? texts.unnamed(id))}
          />
        )}
      </Part>
      <Part level={level} title={texts.roles}>
        <Facts
          label={texts.roles}
          facts={[
            [texts.courseRoles, namesOf(access.roles.course)],
            [texts.sectionRoles, namesOf(access.roles.section)],
          ]}
        />
        {access.zoom_queue_removal && <Typography>{texts.queue}</Typography>}
      </Part>
      <Part level={level} title={texts.tools}>
        <DataTable
          rows={access.tools}
          columns={COLUMNS}
          rowKey={toolKey}
          label={texts.tools}
          height={700}
          empty={texts.noTabs}
        />
      </Part>
    </Box>
  );
}

function Tabs({ tools, level }: { tools: readonly ToolLine[]; level: Level }) {
  const tabs = tools.flatMap(({ tool, may }) => (may ? (toolById(tool).tab ?? []) : []));
  return (
    <Part level={level} title={texts.tabs}>
      {tabs.length === 0 ? (
        <Typography>{texts.noTabs}</Typography>
      ) : (
        <Chips label={texts.tabs} names={tabs} />
      )}
    </Part>
  );
}

function Part({ title, level, children }: { title: string; level: Level; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3" component={level}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

function Chips({ label, names }: { label: string; names: readonly string[] }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: 1 }}
    >
      {names.map((name) => (
        <li key={name}>
          <Chip size="small" variant="outlined" label={name} />
        </li>
      ))}
    </Box>
  );
}

function namesOf(roles: readonly { id: number; name: string | null }[]): string {
  return roles.map(({ id, name }) => name ?? String(id)).join(', ') || texts.noRoles;
}
