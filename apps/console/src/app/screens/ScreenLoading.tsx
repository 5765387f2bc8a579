import Typography from '@mui/material/Typography';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { useDelayed } from '../../components/States/useDelayed.ts';
import { texts } from '../texts.ts';

/** Milliseconds after which the screen explains the wait. */
const SLOW_MS = 8_000;

/** Placeholder for a screen while its script loads. */
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
