import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { noticesNow, setNotices } from '../shell/notices.ts';
import { texts } from './texts.ts';

/** Switch for browser notices when work ends; the browser asks for permission only when it is pressed. */
export function NoticeSwitch() {
  const [now, setNow] = useState(noticesNow);
  if (now === 'none') return null;
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            checked={now === 'on'}
            disabled={now === 'blocked'}
            onChange={(_, on) => void setNotices(on).then(setNow)}
            slotProps={{ input: { 'aria-describedby': 'notices-hint' } }}
          />
        }
        label={texts.notices.label}
        sx={{ '& .Mui-disabled': { color: 'text.secondary' } }}
      />
      <Typography id="notices-hint" variant="body2" color="textSecondary">
        {texts.notices[now]}
      </Typography>
    </Box>
  );
}
