import { styled } from '@mui/material/styles';
import { Link, useLocation } from 'react-router';
import { useJobSummary } from '../../api/jobs.ts';
import { ActivityIcon, WarningIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH, activityAt } from '../../components/Job/activity-path.ts';
import { texts } from '../texts.ts';

const Entry = styled(Link)(({ theme }) => ({
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  flex: 'none',
  minWidth: 44,
  height: 44,
  padding: '0 8px',
  boxSizing: 'border-box',
  borderRadius: 8,
  color: theme.vars.palette.surface.barQuiet,
  fontWeight: 560,
  textDecoration: 'none',
  '&:hover, &[aria-current=page]': { color: theme.vars.palette.surface.barInk },
  '&[aria-current=page] .word': {
    textDecoration: 'underline',
    textDecorationThickness: 2,
    textUnderlineOffset: 6,
  },
  '& .running': {
    minWidth: 22,
    padding: '0 7px',
    boxSizing: 'border-box',
    borderRadius: 11,
    backgroundColor: theme.vars.palette.surface.barInk,
    color: theme.vars.palette.surface.bar,
    fontSize: '0.8125rem',
    fontWeight: 700,
    lineHeight: '22px',
    textAlign: 'center',
    fontVariantNumeric: 'tabular-nums',
  },
  '& .unseen': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 2,
    color: '#f7d48c',
    fontSize: '0.8125rem',
    fontWeight: 700,
  },
  // A phone has space only for the icon; the figures overlap its corners.
  [theme.breakpoints.down('sm')]: {
    padding: 0,
    '& .word': { display: 'none' },
    '& .running, & .unseen': { position: 'absolute', left: 26 },
    '& .running': { top: 1, minWidth: 18, padding: '0 5px', lineHeight: '18px' },
    '& .unseen': { bottom: 3, '& > span': { display: 'none' } },
  },
}));

/** Link to Activity, with the number of running jobs and a mark for unseen failures. */
export function ActivityLink() {
  const { pathname } = useLocation();
  const summary = useJobSummary();
  const running = summary?.running ?? 0;
  const unseen = summary?.unseen ?? 0;
  const { title, running: runs, unseen: needs } = texts.activity;
  const name = [title, ...(running > 0 ? [runs(running)] : []), ...(unseen > 0 ? [needs(unseen)] : [])].join(
    ', ',
  );
  return (
    <Entry
      to={ACTIVITY_PATH}
      aria-label={name}
      title={name}
      aria-current={activityAt(pathname) === undefined ? undefined : 'page'}
    >
      <ActivityIcon />
      <span className="word">{title}</span>
      {running > 0 && <span className="running">{running}</span>}
      {unseen > 0 && (
        <span className="unseen">
          <WarningIcon size={16} />
          <span>{unseen}</span>
        </span>
      )}
    </Entry>
  );
}
