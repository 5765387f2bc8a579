import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';

/** The first sentence of a review, which is also announced to screen readers. */
export function Announcement({ message, children }: { message: string; children: ReactNode }) {
  const announce = useAnnounce();
  useEffect(() => announce(message), [announce, message]);
  return children;
}

/** The sentence of a review. */
export function Sentence({ text }: { text: string }) {
  return (
    <Typography variant="subtitle1" component="p" sx={{ fontWeight: 620, maxWidth: '64ch' }}>
      {text}
    </Typography>
  );
}
