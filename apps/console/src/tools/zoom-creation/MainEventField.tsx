import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { ChoiceInput } from '../../components/Field/ChoiceInput.tsx';
import { timeOf } from './event-columns.tsx';
import type { EventRow } from './event-rows.ts';
import type { Sayers } from './preview-words.ts';
import { texts } from './texts.ts';

/** ID of the field, for the focus after a warning. */
export const MAIN_FIELD = 'zoom-main-event';

interface MainEventFieldProps {
  options: readonly EventRow[];
  value: EventRow | null;
  say: Sayers;
  onChange: (event: number | null) => void;
}

/** 'Select Main event' (ZC-30, ZC-33): searchable by title, date or host. */
export function MainEventField({ options, value, say, onChange }: MainEventFieldProps) {
  const labelOf = (row: EventRow) =>
    `${row.title} · ${timeOf(row, say.times)}${row.host === null ? '' : ` · ${say.host(row.host)}`}`;
  return (
    <Autocomplete<EventRow>
      id={MAIN_FIELD}
      options={options}
      value={value}
      autoHighlight
      disabled={options.length === 0}
      onChange={(_, next) => onChange(next?.event.id ?? null)}
      getOptionLabel={labelOf}
      getOptionKey={({ event }) => event.id}
      isOptionEqualToValue={(one, other) => one.event.id === other.event.id}
      noOptionsText={texts.merge.noMain}
      disablePortal
      slotProps={{ listbox: { component: 'div' as const } }}
      renderOption={({ key, ...rest }: React.HTMLAttributes<HTMLElement> & { key?: React.Key }, row) => (
        <div key={key} {...rest}>
          <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {row.title}
            <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
              {timeOf(row, say.times)}
              {row.host !== null && ` · ${say.host(row.host)}`}
            </Typography>
          </Box>
        </div>
      )}
      renderInput={(params) => (
        <ChoiceInput
          params={params}
          label={zoomCreationMessages.mergeDialog.main}
          hint={options.length === 0 ? texts.merge.noMain : texts.merge.mainHint}
        />
      )}
    />
  );
}
