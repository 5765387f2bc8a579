import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  /** Why there is nothing here, in one sentence. */
  title: string;
  /** What to do next. */
  children?: ReactNode;
  icon?: ReactNode;
  /** A button or link for that step. */
  action?: ReactNode;
}

/** Shown in place of content that is empty: says why, and what to do. */
export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1,
        px: 3,
        py: 5,
        textAlign: 'center',
        color: 'text.secondary',
      }}
    >
      {icon}
      <Typography variant="subtitle1" component="p" color="textPrimary">
        {title}
      </Typography>
      {children !== undefined && (
        <Typography variant="body1" component="div" sx={{ maxWidth: '56ch' }}>
          {children}
        </Typography>
      )}
      {action !== undefined && <Box sx={{ mt: 1 }}>{action}</Box>}
    </Box>
  );
}
