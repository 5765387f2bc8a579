import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import { likelyColumns, likelyTable, missingColumns } from '@lms-admin/domain/sis-matching';
import { SIS_TABLES, type SisKind, type SisTable, sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useProfile } from '../../../api/session.ts';
import { Notice } from '../../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';
import { type ChosenColumns, keepColumns, readColumns } from './unsent.ts';
import type { CorrectionWork } from './useCorrections.ts';

/** Rows of a column that are shown to identify it. */
const FIRST = 3;

/**
 * Matches the columns of a file without an SIS header: suggested, checked by the administrator, and applied with a
 * button.
 */
export function CorrectionColumns({ work, draft }: { work: CorrectionWork; draft: SisDraft }) {
  const limited = useProfile().sub_account.perm !== 'ALL';
  const tables = SIS_TABLES.filter(
    ({ senders }) => senders === 'everybody' || (!limited && senders === 'all'),
  );
  const own = draft.columns.filter(({ added }) => !added);
  const header = own.map((one) => one.header);
  const guess = (table: SisTable) => likelyColumns(table, header, draft.sample);
  const known = tables.find(({ kind }) => kind === draft.kind);
  const [chosen, setChosen] = useState<ChosenColumns>(() => {
    const kept = readColumns(draft);
    if (kept !== null && tables.some(({ kind }) => kind === kept.kind)) return kept;
    const table = known ?? likelyTable(header, draft.sample, tables) ?? sisTableOf('user');
    return { kind: table.kind, names: guess(table), values: { status: 'active' } };
  });
  const { names, values } = chosen;
  const table = sisTableOf(chosen.kind);
  const missing = missingColumns(table, names);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  const ignored = header.filter((name, at) => names[at] === '' && name !== '');

  function choose(change: Partial<ChosenColumns>) {
    const next = { ...chosen, ...change };
    setChosen(next);
    keepColumns(draft, next);
  }

  function use() {
    const added = missing.flatMap(([name = '']) => {
      const value = (values[name] ?? '').trim();
      return value === '' ? [] : [{ name, value }];
    });
    work.apply({ does: 'columns', names, added });
  }

  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography sx={{ maxWidth: '72ch' }}>{known ? texts.columns.howKnown : texts.columns.how}</Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {draft.header.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </Box>
      <Choice
        label={texts.columns.kind}
        value={table.kind}
        options={tables.map(({ kind, title }) => [kind, title])}
        onChange={(kind) => {
          const next = sisTableOf(kind as SisKind);
          choose({ kind: next.kind, names: guess(next) });
        }}
      />
      <Box
        component="ul"
        sx={{
          display: 'grid',
          gap: 2,
          m: 0,
          p: 0,
          listStyle: 'none',
          gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))',
        }}
      >
        {own.map((column, at) => (
          // A file may have two columns with the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <Box component="li" key={at} sx={{ display: 'grid', gap: 0.5, alignContent: 'start' }}>
            <Choice
              label={texts.columns.sentAs(column.header || texts.columns.unnamed(at + 1))}
              value={names[at] ?? ''}
              options={[['', texts.columns.none], ...table.columns.map((name) => [name, name] as const)]}
              onChange={(name) => choose({ names: names.map((one, place) => (place === at ? name : one)) })}
            />
            <Typography variant="body2" color="textSecondary" noWrap>
              {draft.sample
                .slice(0, FIRST)
                .map((row) => row[at] || '–')
                .join(' · ')}
            </Typography>
          </Box>
        ))}
      </Box>
      {missing.length > 0 && (
        <Notice tone="warning" title={texts.columns.missing}>
          <Typography>{texts.columns.missingHow}</Typography>
          {missing.map(([name = '', ...others]) => (
            <Value
              key={name}
              label={texts.columns.value([name, ...others].join(' or '))}
              value={values[name] ?? ''}
              onChange={(value) => choose({ values: { ...values, [name]: value } })}
            />
          ))}
        </Notice>
      )}
      {twice !== undefined && <Notice tone="warning" title={texts.columns.twice(twice)} />}
      {ignored.length > 0 && <Typography>{texts.columns.ignored(ignored)}</Typography>}
      <Box>
        <Button variant="contained" disabled={twice !== undefined || work.busy !== null} onClick={use}>
          {texts.columns.use}
        </Button>
      </Box>
    </Box>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <FormControl size="small" sx={{ maxWidth: 420 }}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <NativeSelect
        value={value}
        onChange={(event) => onChange(event.target.value)}
        input={<OutlinedInput label={label} notched />}
        inputProps={{ id }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </FormControl>
  );
}

function Value({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <FormControl size="small" sx={{ minWidth: 260 }}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput id={id} label={label} value={value} onChange={(event) => onChange(event.target.value)} />
    </FormControl>
  );
}
