import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { InfoIcon, StopIcon } from '../../components/Icons.tsx';

export interface SendProps {
  id: string;
  label: string;
  /** Why the button cannot be pressed, or null. */
  blocked: string | null;
  /** A note below the reason. */
  note?: string | null;
  /** Text about the removals; empty or omitted for none. */
  takes?: string;
  onPress: () => void;
}

/** The button that opens the confirmation, with the reason beside it if it cannot be pressed. */
export function Send({ id, label, blocked, note = null, takes = '', onPress }: SendProps) {
  const [reason, taken, below] = [`${id}-reason`, `${id}-takes`, `${id}-note`];
  const removes = takes !== '' && blocked === null;
  const said = note === null ? reason : `${reason} ${below}`;
  const described = blocked !== null ? said : removes ? taken : null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
      <Button
        id={id}
        variant="contained"
        color={removes ? 'error' : 'primary'}
        disabled={blocked !== null}
        onClick={onPress}
        {...(described === null ? {} : { 'aria-describedby': described })}
      >
        {label}
      </Button>
      {removes && (
        <Typography
          id={taken}
          sx={{ display: 'flex', gap: 0.75, color: 'error.main', fontWeight: 620, flex: '1 1 220px' }}
        >
          <StopIcon size={18} style={{ flex: 'none', marginTop: 2 }} />
          {takes}
        </Typography>
      )}
      {blocked !== null && (
        <Typography
          id={reason}
          variant="body2"
          sx={{ display: 'flex', gap: 0.75, color: 'text.secondary', flex: '1 1 220px' }}
        >
          <InfoIcon size={18} style={{ flex: 'none' }} />
          {blocked}
        </Typography>
      )}
      {blocked !== null && note !== null && (
        <Typography id={below} variant="body2" sx={{ flex: '1 0 100%' }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
