import type { ErrorDetail } from '@lms-admin/contract/errors';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/errors.ts';
import { CopyText } from '../CopyText.tsx';
import { RetryIcon, StopIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

export interface ErrorStateProps {
  error: unknown;
  /** The failed action, such as 'The courses could not be loaded.'; without one, only the error's own text is shown. */
  title?: string;
  /** What was and was not done, if it is not obvious. */
  children?: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  /** False if the screen shows each row's problem in a separate table. */
  details?: boolean;
  /** The number of a row on the screen, if it differs from the one in the CSV, whose header is row 1. */
  rowOf?: ((row: number) => number) | undefined;
  /** False if the administrator can correct the problem, so that IT Support is not needed. */
  reference?: boolean;
}

/** The error, what to do next, a retry button, and the reference to quote. Announced immediately. */
export function ErrorState(props: ErrorStateProps) {
  const {
    error,
    title,
    children,
    onRetry,
    retryLabel = texts.retry,
    details = true,
    reference = true,
    rowOf = (row) => row,
  } = props;
  const known = error instanceof ApiError ? error : null;
  const message = known?.message ?? texts.unexpected;
  return (
    <Box
      role="alert"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        gap: 1.5,
        p: 2,
        borderRadius: 1,
        border: 1,
        borderColor: 'error.main',
        bgcolor: 'surface.stop',
      }}
    >
      <Box sx={{ color: 'error.main', lineHeight: 0, pt: '2px' }}>
        <StopIcon />
      </Box>
      <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
        <Typography variant="h3" component="p">
          {title ?? message}
        </Typography>
        <Typography variant="body1" component="div">
          {title !== undefined && <>{message} </>}
          {known?.next ?? texts.unexpectedNext}
        </Typography>
        {children}
        {details && known !== null && known.details.length > 0 && (
          <Details lines={detailLines(known.details, rowOf)} />
        )}
        {onRetry !== undefined && (
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            startIcon={<RetryIcon size={16} />}
            onClick={onRetry}
          >
            {retryLabel}
          </Button>
        )}
        {reference && known?.requestId != null && <Reference id={known.requestId} />}
      </Box>
    </Box>
  );
}

function Details({ lines }: { lines: readonly string[] }) {
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
}

function Reference({ id }: { id: string }) {
  return (
    <Typography variant="body2" component="p" color="textSecondary">
      {texts.reference}: <CopyText text={id} label={texts.reference} />
    </Typography>
  );
}

/** Maximum number of detail lines; more would push the advice out of view. */
const MOST_LINES = 5;

/** Lists each detail with its row, so that equal ones can be distinguished; duplicates are removed. */
function detailLines(details: readonly ErrorDetail[], rowOf: (row: number) => number): string[] {
  const lines = details.map(({ row, message }) =>
    row === null ? message : texts.detail(rowOf(row), message),
  );
  return [...new Set(lines)].slice(0, MOST_LINES);
}
