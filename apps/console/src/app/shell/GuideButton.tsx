import { messages } from '@lms-admin/contract/messages';
import { styled } from '@mui/material/styles';
import { GuideIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';
import { measures } from '../tokens.ts';

/** Width in px that the title leaves free for a button beside it. */
export const GUIDE_SPACE = 64;
/** Minimum window width in px with a margin beside the page in which the button can float. */
export const GUIDE_FLOATS = measures.page + 2 * 100;

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
  // Without a margin, the button would float over fields and figures, so it is placed beside the title.
  [theme.breakpoints.down(GUIDE_FLOATS)]: {
    position: 'absolute',
    top: 24,
    bottom: 'auto',
    width: GUIDE_SPACE - 12,
    height: GUIDE_SPACE - 12,
    border: 0,
  },
  [theme.breakpoints.down('sm')]: { top: 16, right: 16 },
}));

/** Round button to the guide, in a new tab (SHELL-26); on narrow screens it is beside the title. */
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
