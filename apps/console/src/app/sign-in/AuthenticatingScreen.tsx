import { messages } from '@lms-admin/contract/messages';
import { APP_NAME } from '@lms-admin/domain/constants';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useDelayed } from '../../components/States/useDelayed.ts';
import { texts } from '../texts.ts';
import { EntryFrame } from './EntryFrame.tsx';

const SLOW_MS = 8_000;

/** While the code is exchanged for a session (AUTH-06). */
export function AuthenticatingScreen() {
  const slow = useDelayed(true, SLOW_MS);
  useEffect(() => {
    document.title = `${messages.authenticating.heading} · ${APP_NAME}`;
  }, []);
  return (
    <EntryFrame practice={false}>
      <Typography variant="h1">{messages.authenticating.heading}</Typography>
      <Typography role="status" variant="subtitle1" component="p" color="textSecondary">
        {messages.authenticating.text}
      </Typography>
      <LinearProgress aria-label={messages.authenticating.heading} sx={{ maxWidth: 320 }} />
      {slow && <Typography color="textSecondary">{texts.slow}</Typography>}
    </EntryFrame>
  );
}
