import type { AccessChange, ListedRecord } from '@lms-admin/contract/access';
import { ACCESS_ADMIN, FLAGS, type Flag, ONLY_FOR_ALL } from '@lms-admin/domain/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { knownZone } from '../../components/moments.ts';
import { endOfDay, unchanged } from './draft.ts';
import { texts } from './texts.ts';
import { toolOfFlag } from './words.ts';

const words = texts.record;

interface BulkDialogProps {
  entries: readonly ListedRecord[];
  onClose: () => void;
  onReview: (changes: readonly AccessChange[]) => void;
}

/** The same change for several people: fields without a choice stay as they are for each person. */
export function BulkDialog({ entries, onClose, onReview }: BulkDialogProps) {
  const zone = knownZone(useProfile().userProfile.time_zone);
  const [state, setState] = useState('');
  const [end, setEnd] = useState('');
  const [day, setDay] = useState('');
  const [add, setAdd] = useState('');
  const [remove, setRemove] = useState('');
  const everywhere = entries.every(({ record }) => record.perm === 'ALL');
  const tools = TOOL_OPTIONS.filter(([flag]) => everywhere || !ONLY_FOR_ALL.has(flag));
  const isEmpty = [state, end, add, remove].every((one) => one === '');

  function changed(entry: ListedRecord): AccessChange {
    const same = unchanged(entry);
    return {
      ...same,
      ...(state === '' ? {} : { disabled: state === 'disable' }),
      ...(end === '' ? {} : { expires_at: end === 'never' ? null : endOfDay(day, zone) }),
      record: {
        ...same.record,
        ...(add === '' ? {} : { [add]: true }),
        ...(remove === '' ? {} : { [remove]: false }),
      },
    };
  }

  return (
    <AppDialog
      open
      onClose={onClose}
      maxWidth="sm"
      title={words.titleMany(entries.length)}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            variant="contained"
            disabled={isEmpty || (end === 'day' && endOfDay(day, zone) === null)}
            onClick={() => onReview(entries.map(changed))}
          >
            {words.review}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2.5, pt: 1 }}>
        <Choice
          label={words.state}
          value={state}
          options={[
            ['enable', words.enable],
            ['disable', words.disable],
          ]}
          onChange={setState}
        />
        <Choice
          label={words.end}
          value={end}
          options={[
            ['day', words.endOn],
            ['never', words.endNever],
          ]}
          onChange={setEnd}
        />
        {end === 'day' && (
          <TextField
            type="date"
            label={words.setEnd}
            helperText={words.endsHintOfMany}
            value={day}
            onChange={({ target }) => setDay(target.value)}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        )}
        <Choice label={words.addTool} value={add} options={tools} onChange={setAdd} />
        <Choice label={words.removeTool} value={remove} options={tools} onChange={setRemove} />
        {!everywhere && <Typography color="textSecondary">{words.onlyAllOfMany}</Typography>}
      </Box>
    </AppDialog>
  );
}

const TOOL_OPTIONS = FLAGS.filter((flag: Flag) => flag !== ACCESS_ADMIN).map(
  (flag) => [flag, toolOfFlag(flag)] as const,
);

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value="">{words.keep}</option>
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </TextField>
  );
}
