import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { InfoIcon, StopIcon } from '../../components/Icons.tsx';

export interface SendProps {
  id: string;
  label: string;
  /** Why it cannot be pressed, or null. */
  blocked: string | null;
  /** What it removes, in words; empty or left out for nothing. */
  takes?: string;
  onPress: () => void;
}

/** The button that asks before anything is sent; beside it why it cannot be pressed. */
export function Send({ id, label, blocked, takes = '', onPress }: SendProps) {
  const [reason, taken] = [`${id}-reason`, `${id}-takes`];
  const removes = takes !== '' && blocked === null;
  const described = blocked !== null ? reason : removes ? taken : null;
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
    </Box>
  );
}
