import { APP_VERSION } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import { texts } from '../texts.ts';

const YEAR = new Date().getFullYear();

/** Copyright with the current year, the institution, the version (SHELL-30). */
export function Footer({ institution }: { institution: string | null }) {
  return (
    <Box
      component="footer"
      sx={{
        width: '100%',
        maxWidth: 1000,
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
      <span>{texts.version(APP_VERSION)}</span>
    </Box>
  );
}
