import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';

/** What a review says first, also said to those who do not see it. */
export function Said({ said, children }: { said: string; children: ReactNode }) {
  const announce = useAnnounce();
  useEffect(() => announce(said), [announce, said]);
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
