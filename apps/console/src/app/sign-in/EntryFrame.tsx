import { APP_NAME } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { lazy, type ReactNode, Suspense } from 'react';
import { Logo } from '../shell/Logo.tsx';
import { texts } from '../texts.ts';

const Split = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(320px, 42%) minmax(0, 1fr)',
  minHeight: '100vh',
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    gridTemplateRows: '152px 1fr',
  },
}));

const Cover = styled('header')(({ theme }) => ({
  position: 'relative',
  overflow: 'hidden',
  backgroundColor: theme.vars.palette.surface.bar,
  color: theme.vars.palette.surface.barInk,
  // A gradient covers the upper part of the picture, so that the name has a plain background.
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: 0,
    background: `linear-gradient(${theme.vars.palette.surface.bar} 18%, transparent 68%)`,
    [theme.breakpoints.down('md')]: {
      background: `linear-gradient(${theme.vars.palette.surface.bar} 42%, transparent 90%)`,
    },
  },
}));

/** A decoration: signed-in people never see it, and the page works without it. */
const Register = lazy(() =>
  import('./Register.tsx').then(
    ({ Register: Picture }) => ({ default: () => <Picture /> }),
    () => ({ default: () => <></> }),
  ),
);

interface EntryFrameProps {
  practice: boolean;
  children: ReactNode;
  notice?: ReactNode;
  footer?: ReactNode;
}

/** The page before sign-in: a cover with the logo on one side, the action on the other. */
export function EntryFrame({ practice, children, notice, footer }: EntryFrameProps) {
  return (
    <Split>
      <Cover>
        <Suspense fallback={null}>
          <Register />
        </Suspense>
        <Box
          sx={{
            position: 'relative',
            zIndex: 1,
            display: 'flex',
            alignItems: 'center',
            gap: 1.5,
            p: { xs: 2, sm: 3, md: 5 },
            fontSize: '1.0625rem',
            fontWeight: 680,
          }}
        >
          <Logo size={40} />
          {APP_NAME}
          {practice && (
            <Box component="span" title={texts.practiceHint} sx={{ color: '#f7d48c', fontWeight: 500 }}>
              · {texts.practice}
            </Box>
          )}
        </Box>
      </Cover>
      <Box sx={{ display: 'flex', flexDirection: 'column' }}>
        {notice}
        <Box
          component="main"
          sx={{
            flex: 1,
            display: 'grid',
            alignContent: { xs: 'start', md: 'center' },
            gap: 2,
            width: '100%',
            maxWidth: 560,
            boxSizing: 'border-box',
            px: { xs: 2, sm: 3, md: 8 },
            py: { xs: 5, md: 8 },
          }}
        >
          {children}
        </Box>
        <Box sx={{ px: { md: 5 } }}>{footer}</Box>
      </Box>
    </Split>
  );
}
