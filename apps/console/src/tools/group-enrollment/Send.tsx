import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { InfoIcon } from '../../components/Icons.tsx';

export interface SendProps {
  id: string;
  label: string;
  /** Why it cannot be pressed, or null. */
  blocked: string | null;
  onPress: () => void;
}

/** The button that asks before anything is sent; beside it why it cannot be pressed. */
export function Send({ id, label, blocked, onPress }: SendProps) {
  const reason = `${id}-reason`;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
      <Button
        id={id}
        variant="contained"
        disabled={blocked !== null}
        onClick={onPress}
        {...(blocked === null ? {} : { 'aria-describedby': reason })}
      >
        {label}
      </Button>
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
