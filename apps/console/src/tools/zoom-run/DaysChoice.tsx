import { zoomRunMessages } from '@lms-admin/contract/messages/zoom-run';
import { RUN_DAYS, type RunDays } from '@lms-admin/contract/zoom-runs';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { texts } from './texts.ts';

export interface DaysChoiceProps {
  days: RunDays;
  hint: string;
  onChange: (days: RunDays) => void;
}

/** How many days ahead a run covers (ZR-08). */
export function DaysChoice({ days, hint, onChange }: DaysChoiceProps) {
  return (
    <FormControl>
      <FormLabel id="zoom-run-days">{zoomRunMessages.days}</FormLabel>
      <Typography id="zoom-run-days-hint" variant="body2" color="textSecondary">
        {hint}
      </Typography>
      <RadioGroup
        row
        aria-labelledby="zoom-run-days"
        aria-describedby="zoom-run-days-hint"
        value={days}
        onChange={(_, value) => onChange(RUN_DAYS.find((one) => String(one) === value) ?? 30)}
      >
        {RUN_DAYS.map((one) => (
          <FormControlLabel key={one} value={one} control={<Radio />} label={texts.day(one)} />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
