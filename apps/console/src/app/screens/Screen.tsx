import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A screen that belongs to no tool: title and content. */
export function Screen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start', maxWidth: '64ch' }}>
      <Typography variant="h1" tabIndex={-1}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
