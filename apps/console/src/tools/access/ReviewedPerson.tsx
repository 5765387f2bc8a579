import type { RefusedRuns, ReviewedChange } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';
import { changeLines, type Names } from './words.ts';

const words = texts.review;

/** The permissions that one person gains and loses, and which of their past work would not be allowed. */
export function ReviewedPerson({ change, names }: { change: ReviewedChange; names: Names }) {
  const { login, problem, notes, replay, before, after } = change;
  const lines = changeLines(change, names);
  const moment = momentFormat(useProfile().userProfile.time_zone);
  const others = [
    ...(before?.expires_at === after.expires_at || (before === null && after.expires_at === null)
      ? []
      : [after.expires_at === null ? words.noEnd : words.ends(moment(after.expires_at))]),
    ...((before?.reason ?? '') === after.reason ? [] : [words.reason(after.reason)]),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3" component="h3" sx={{ overflowWrap: 'anywhere' }}>
        {login}
      </Typography>
      {problem !== null && <Notice tone="stop" title={problem} />}
      {notes.map((note) => (
        <Notice key={note} tone="warning" title={note} />
      ))}
      <Rights change="gains" lines={lines.gains} />
      <Rights change="loses" lines={lines.loses} />
      {lines.gains.length + lines.loses.length === 0 && <Typography>{words.same}</Typography>}
      {others.map((text) => (
        <Typography key={text}>{text}</Typography>
      ))}
      {replay !== null && <Runs login={login} replay={replay} />}
    </Box>
  );
}

function Rights({ change, lines }: { change: 'gains' | 'loses'; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  const label = words[change];
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '64px minmax(0, 1fr)', gap: 1 }}>
      <Box
        component="span"
        sx={{ fontWeight: 650, color: change === 'loses' ? 'error.main' : 'success.main' }}
      >
        {label}
      </Box>
      <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Box>
    </Box>
  );
}

/** The change applied to the last 90 days of Activity. */
function Runs({ login, replay }: { login: string; replay: RefusedRuns }) {
  const { runs, checked, refused, refused_count } = replay;
  if (runs === 0) return <Typography>{words.noRuns(login)}</Typography>;
  const unchecked = runs - checked;
  const note = unchecked > 0 && <Typography>{words.unchecked(unchecked)}</Typography>;
  if (refused_count === 0) {
    return (
      <>
        <Typography>{words.allRuns(runs, login)}</Typography>
        {note}
      </>
    );
  }
  return (
    <Notice tone="warning" title={words.runs(refused_count, runs, login)}>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {refused.map(({ job, label, why }) => (
          <li key={job}>
            <Link component={RouterLink} to={`${ACTIVITY_PATH}/${job}`} target="_blank">
              {label}
            </Link>
            : {why}
          </li>
        ))}
        {refused_count > refused.length && <li>{words.more(refused_count - refused.length)}</li>}
      </Box>
      {note}
    </Notice>
  );
}
