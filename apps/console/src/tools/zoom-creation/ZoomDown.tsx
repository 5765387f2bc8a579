import Typography from '@mui/material/Typography';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';

interface ZoomDownProps {
  /** The list of possible hosts. */
  hosts: { isError: boolean; isFetching: boolean; error: unknown; refetch: () => unknown };
}

/** Why nothing can be saved while Zoom does not answer. */
export function ZoomDown({ hosts }: ZoomDownProps) {
  if (!hosts.isError || hosts.isFetching) return null;
  return (
    <ErrorState error={hosts.error} title={texts.zoom.failed} onRetry={() => void hosts.refetch()}>
      <Typography>{texts.zoom.failedNext}</Typography>
    </ErrorState>
  );
}
