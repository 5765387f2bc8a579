import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { texts } from './texts.ts';

interface PartProps {
  title: string;
  about?: string;
  children: ReactNode;
}

/** One part of the page, with its heading. */
export function Part({ title, about, children }: PartProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box>
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {about !== undefined && (
          <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '72ch' }}>
            {about}
          </Typography>
        )}
      </Box>
      {children}
    </Paper>
  );
}

interface QueryPartProps<T> {
  /** Name of the loaded data in an error message. */
  title: string;
  query: UseQueryResult<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Requested data: loading, failed, or loaded. A later failure keeps the earlier data, and says so. */
export function QueryPart<T>({ title, query, lines = 2, children }: QueryPartProps<T>) {
  if (query.isPending) return <Skeletons lines={lines} label={texts.loading(title)} />;
  return (
    <>
      {query.isError && (
        <ErrorState error={query.error} title={texts.failed(title)} onRetry={() => void query.refetch()} />
      )}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
