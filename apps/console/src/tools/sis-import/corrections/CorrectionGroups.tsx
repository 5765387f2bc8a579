import type { DraftGroup, SisDraft } from '@lms-admin/contract/sis-drafts';
import { likelyValue } from '@lms-admin/domain/sis-corrections';
import { type SisTable, sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { isNeeded } from './correction-rows.ts';
import { groupKey } from './corrections.ts';
import { texts } from './texts.ts';
import type { CorrectionWork } from './useCorrections.ts';

/** Maximum number of values in a group that get separate fields. */
const MOST_FIELDS = 5;

/** Problems shared by many rows, each shown and corrected once. */
export function CorrectionGroups({ work, draft }: { work: CorrectionWork; draft: SisDraft }) {
  const table = draft.kind && sisTableOf(draft.kind);
  return (
    <Box
      component="ul"
      aria-label={texts.groups.label}
      sx={{ display: 'grid', gap: 1.5, m: 0, p: 0, listStyle: 'none', gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {draft.groups.map((group) => (
        <Group key={groupKey(group)} group={group} table={table} draft={draft} work={work} />
      ))}
    </Box>
  );
}

interface GroupProps {
  group: DraftGroup;
  table: SisTable | null;
  draft: SisDraft;
  work: CorrectionWork;
}

function Group({ group, table, draft, work }: GroupProps) {
  const { column, name, values, different } = group;
  const shown = work.group === groupKey(group);
  const joinable =
    (name === 'login_id' || name === 'email') &&
    values.length > 0 &&
    values.every(({ value }) => likelyValue(name, value) !== null);
  // Several rows never share an ID.
  const once: readonly string[] = table?.once ?? [];
  // A single value is just as quickly corrected in the table.
  const fields =
    joinable || (once.includes(name) && group.rows > 1)
      ? []
      : values.filter((one) => one.rows > 1 || different === 1).slice(0, MOST_FIELDS);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 1,
        p: 1.5,
        border: 1,
        borderColor: shown ? 'primary.main' : 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box>
        <Typography sx={{ fontWeight: 620, overflowWrap: 'anywhere' }}>
          {name !== '' && (
            <Box component="span" sx={{ fontFamily: 'monospace', mr: 1 }}>
              {name}
            </Box>
          )}
          {group.message}
        </Typography>
        <Typography color="textSecondary">
          {texts.groups.rows(group.rows)} · {texts.groups.first(group.first, group.rows)}
        </Typography>
      </Box>
      {column !== null &&
        fields.map(({ value, rows }) => (
          <Instead
            key={value}
            value={value}
            rows={rows}
            likely={likelyValue(name, value, table?.rows.states)}
            needed={table !== null && isNeeded(table, name, draft.columns)}
            onPut={(to) => work.apply({ does: 'replace', column, from: value, to })}
          />
        ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {joinable && column !== null && (
          <Button size="small" variant="outlined" onClick={() => work.apply({ does: 'join', column })}>
            {texts.groups.join(group.rows)}
          </Button>
        )}
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          aria-label={shown ? texts.groups.all : texts.groups.showOf(name || group.message)}
          onClick={() => work.show(shown ? null : group)}
        >
          {shown ? texts.groups.all : texts.groups.show}
        </Button>
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          onClick={() => work.apply({ does: 'leave-out-group', group: group.id })}
        >
          {texts.groups.leaveOut(group.rows)}
        </Button>
      </Box>
      {fields.length === 0 && different > 1 && !joinable && (
        <Typography variant="body2" color="textSecondary">
          {texts.groups.more(different)}
        </Typography>
      )}
    </Box>
  );
}

interface InsteadProps {
  value: string;
  rows: number;
  /** The value that was probably meant. */
  likely: string | null;
  /** Whether clearing the cell would only cause another problem. */
  needed: boolean;
  onPut: (to: string) => void;
}

function Instead({ value, rows, likely, needed, onPut }: InsteadProps) {
  const id = useId();
  const [typed, setTyped] = useState(likely ?? '');
  const empty = typed.trim() === '';
  const useless = typed.trim() === value || (empty && needed);
  const label = texts.groups.instead(value.length > 60 ? `${value.slice(0, 60)}…` : value, rows);
  return (
    <Box
      component="form"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', pt: 0.5 }}
      onSubmit={(event: React.SubmitEvent) => {
        event.preventDefault();
        if (!useless) onPut(typed);
      }}
    >
      <FormControl size="small" sx={{ flex: '1 1 260px', maxWidth: 420 }}>
        <InputLabel htmlFor={id}>{label}</InputLabel>
        <OutlinedInput
          id={id}
          label={label}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </FormControl>
      <Button type="submit" variant="outlined" disabled={useless}>
        {empty && value !== '' && !needed ? texts.groups.empty(rows) : texts.groups.put(rows)}
      </Button>
    </Box>
  );
}
