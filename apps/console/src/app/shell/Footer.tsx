import { APP_VERSION } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import { texts } from '../texts.ts';
import { measures } from '../tokens.ts';

const YEAR = new Date().getFullYear();

/**
 * Copyright with the current year, the institution, the version (SHELL-30), and a link to the guide, because only some
 * tools have a button for it (SHELL-27).
 * @param guide address of the page about the current screen
 */
export function Footer({ institution, guide }: { institution: string | null; guide: string }) {
  return (
    <Box
      component="footer"
      sx={{
        width: '100%',
        maxWidth: measures.page,
        boxSizing: 'border-box',
        mx: 'auto',
        px: { xs: 2, sm: 3 },
        py: 3,
        display: 'flex',
        flexWrap: 'wrap',
        justifyContent: 'space-between',
        gap: 1,
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <span>
        © {YEAR} {institution}
      </span>
      <Box component="span" sx={{ display: 'flex', gap: 2 }}>
        <Box
          component="a"
          href={guide}
          target="_blank"
          rel="noopener noreferrer"
          title={texts.opensNewWindow}
          sx={{ color: 'inherit' }}
        >
          {texts.guideHere}
        </Box>
        <span>{texts.version(APP_VERSION)}</span>
      </Box>
    </Box>
  );
}
