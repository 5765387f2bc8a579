import { messages } from '@lms-admin/contract/messages';
import { APP_NAME } from '@lms-admin/domain/constants';
import { keyframes, styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useDelayed } from '../../components/States/useDelayed.ts';
import { texts } from '../texts.ts';
import { EntryFrame } from './EntryFrame.tsx';

const glide = keyframes({ from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(320px)' } });

const Wait = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: 320,
  height: 4,
  borderRadius: 2,
  overflow: 'hidden',
  backgroundColor: theme.vars.palette.divider,
  '& > div': {
    width: 120,
    height: '100%',
    backgroundColor: theme.vars.palette.secondary.main,
    animation: `${glide} 1.4s ease-in-out infinite`,
  },
}));

const SLOW_MS = 8_000;

/** Shown while the code is exchanged for a session (AUTH-06). */
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
      <Wait role="progressbar" aria-label={messages.authenticating.heading}>
        <div />
      </Wait>
      {slow && <Typography color="textSecondary">{texts.slow}</Typography>}
    </EntryFrame>
  );
}
