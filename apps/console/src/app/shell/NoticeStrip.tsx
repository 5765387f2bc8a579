import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { measures } from '../tokens.ts';

export interface NoticeStripProps {
  /** Background colour. */
  tone: 'surface.warning' | 'surface.sunken';
  /** Null while there is nothing to say; screen readers announce a change. */
  children: ReactNode;
}

/** A strip over the whole width, below the top bar. */
export function NoticeStrip({ tone, children }: NoticeStripProps) {
  return (
    <div role="status">
      {children !== null && (
        <Box sx={{ bgcolor: tone, borderBottom: 1, borderColor: 'divider', color: 'text.primary' }}>
          <Box
            sx={{
              maxWidth: measures.page,
              minHeight: 40,
              boxSizing: 'border-box',
              mx: 'auto',
              px: { xs: 2, sm: 3 },
              py: 0.5,
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 1,
            }}
          >
            {children}
          </Box>
        </Box>
      )}
    </div>
  );
}
