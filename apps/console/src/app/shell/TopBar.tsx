import { messages } from '@lms-admin/contract/messages';
import type { PublicSettings } from '@lms-admin/contract/settings';
import { APP_NAME } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { Link } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { texts } from '../texts.ts';
import { measures } from '../tokens.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ActivityLink } from './ActivityLink.tsx';
import { Logo } from './Logo.tsx';
import { firstName } from './names.ts';
import { hasTool } from './place.ts';

const Bar = styled('header')(({ theme }) => ({
  backgroundColor: theme.vars.palette.surface.bar,
  color: theme.vars.palette.surface.barInk,
  '& > div :focus-visible': { outlineColor: theme.vars.palette.surface.barInk },
}));

const Home = styled(Link)({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 44,
  borderRadius: 6,
  color: 'inherit',
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  fontSize: '1.0625rem',
  fontWeight: 680,
  letterSpacing: '-0.01em',
});

const Badge = styled('span')({
  padding: '1px 8px',
  border: '1px solid #f2bd55',
  borderRadius: 999,
  color: '#f7d48c',
  fontSize: '0.8125rem',
  lineHeight: '18px',
});

/** Top bar: logo, practice badge, greeting, running work, and the account menu (SHELL-29). */
export function TopBar({ settings }: { settings: PublicSettings | null }) {
  const { user, sub_account } = useProfile();
  return (
    <Bar>
      <Box
        sx={{
          maxWidth: measures.page,
          mx: 'auto',
          px: { xs: 2, sm: 3 },
          minHeight: 64,
          display: 'flex',
          alignItems: 'center',
          gap: { xs: 0.5, sm: 1.5 },
        }}
      >
        <Home to="/" aria-label={texts.home}>
          {settings?.logo_url ? <img src={settings.logo_url} alt="" height={32} /> : <Logo />}
          {APP_NAME}
        </Home>
        {settings?.practice && <Badge title={texts.practiceHint}>{texts.practice}</Badge>}
        <Box sx={{ flex: 1 }} />
        <Box
          component="span"
          sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {messages.shell.greeting(firstName(user.name))}
        </Box>
        {hasTool(sub_account) && <ActivityLink />}
        <AccountMenu />
      </Box>
    </Bar>
  );
}
