import { messages } from '@lms-admin/contract/messages';
import { styled } from '@mui/material/styles';
import { GuideIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';

const Round = styled('a')(({ theme }) => ({
  position: 'fixed',
  right: 24,
  // Above the bar with Back and Next, which stays at the bottom of the window.
  bottom: 88,
  zIndex: theme.zIndex.fab,
  display: 'grid',
  placeItems: 'center',
  alignContent: 'center',
  gap: 1,
  width: 64,
  height: 64,
  borderRadius: '50%',
  backgroundColor: theme.vars.palette.secondary.main,
  color: theme.vars.palette.secondary.contrastText,
  border: `2px solid ${theme.vars.palette.background.default}`,
  fontSize: '0.8125rem',
  lineHeight: '16px',
  fontWeight: 620,
  textDecoration: 'none',
  '&:hover': { backgroundColor: theme.vars.palette.secondary.dark },
  [theme.breakpoints.down('md')]: { right: 16, width: 56, height: 56 },
}));

/** The round button to the guide, in a new tab (SHELL-26). */
export function GuideButton({ href }: { href: string }) {
  return (
    <aside aria-label={texts.help}>
      <Round href={href} target="_blank" rel="noopener noreferrer" title={texts.opensNewWindow}>
        <GuideIcon size={22} />
        {messages.shell.guide}
      </Round>
    </aside>
  );
}
