import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { OutIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import { OpenDrafts } from './OpenDrafts.tsx';
import { TEMPLATES, type Template } from './templates.ts';
import { texts } from './texts.ts';
import type { SisStep } from './useSisWork.ts';

const columns: readonly Column<Template>[] = [
  {
    id: 'file',
    header: texts.templates.file,
    value: (one) => one.title,
    sortable: false,
    width: '17%',
    minWidth: 148,
    cell: (one) => (
      <Link
        href={one.path}
        download={one.file}
        aria-label={texts.templates.download(one.file)}
        sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}
      >
        <DownloadIcon size={18} />
        {one.title}
      </Link>
    ),
  },
  {
    id: 'use',
    header: texts.templates.use,
    value: (one) => one.use,
    sortable: false,
    wrap: true,
    width: '36%',
    minWidth: 300,
  },
  {
    id: 'columns',
    header: texts.templates.columns,
    value: (one) => one.columns.join(', '),
    sortable: false,
    wrap: true,
    minWidth: 400,
  },
];
const rowKey = (one: Template) => one.file;

/** Step 'Select SIS Type': the templates, and the types this administrator can import (SIS-03, OP-53, OP-54). */
export function TypeStep({ state, dispatch }: SisStep) {
  const limited = useProfile().sub_account.perm !== 'ALL';
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <OpenDrafts
        onContinue={(draft) => dispatch({ type: 'continue', draft })}
        onDiscarded={(id) => {
          if (id === state.draft) dispatch({ type: 'file', file: null });
        }}
      />
      <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <DataTable<Template, string>
          label={texts.templates.label}
          rows={TEMPLATES}
          columns={columns}
          rowKey={rowKey}
          empty=""
        />
        <Typography variant="body2" color="textSecondary">
          {texts.templates.guide}{' '}
          <Link href="/guide/sis-import.html" target="_blank" rel="noopener">
            {texts.templates.guideLink} <OutIcon size={14} style={{ verticalAlign: '-2px' }} />
          </Link>
        </Typography>
      </Box>
      <Notice tone="info" title={texts.may.title}>
        {limited ? (
          <>
            <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
              {texts.may.limited.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </Box>
            <Typography>{texts.may.limitedNext}</Typography>
          </>
        ) : (
          <Typography>{texts.may.all}</Typography>
        )}
        <Typography>{texts.overwrites}</Typography>
      </Notice>
    </Box>
  );
}
