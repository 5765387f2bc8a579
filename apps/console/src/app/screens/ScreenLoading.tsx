import Typography from '@mui/material/Typography';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { useDelayed } from '../../components/States/useDelayed.ts';
import { texts } from '../texts.ts';

/** Milliseconds after which a wait is explained. */
const SLOW_MS = 8_000;

/** In place of a screen whose script is on its way. */
export function ScreenLoading() {
  const slow = useDelayed(true, SLOW_MS);
  return (
    <>
      <Skeletons lines={6} />
      {slow && (
        <Typography role="status" color="textSecondary">
          {texts.slow}
        </Typography>
      )}
    </>
  );
}
