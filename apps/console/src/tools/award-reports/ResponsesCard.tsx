import type { AwardStats } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { shownOpeningDate } from '@lms-admin/domain/award-opening';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { CheckIcon, RetryIcon } from '../../components/Icons.tsx';
import { momentFormat } from '../../components/moments.ts';
import { RefreshState } from './RefreshState.tsx';
import { leftOutWords } from './report-words.ts';
import { texts } from './texts.ts';
import type { Refresh } from './useRefresh.ts';

const words = awardReportMessages;

export interface ResponsesCardProps {
  stats: AwardStats;
  /** The opening date of the vote; undefined while it is unknown. */
  opening: string | null | undefined;
  refresh: Refresh;
}

/**
 * 'Responses: N' with the reasons for those not counted, and a button to read the survey again (BTA-13 to BTA-17,
 * OP-105).
 */
export function ResponsesCard({ stats, opening, refresh }: ResponsesCardProps) {
  const { time_zone } = useProfile().userProfile;
  const moment = momentFormat(time_zone);
  const { createdAt } = stats;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Paper
        component="section"
        aria-label={texts.card}
        sx={{ p: 2, display: 'grid', gap: 1.5, bgcolor: 'surface.sunken' }}
      >
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <Box sx={{ flex: '1 1 220px' }}>
            <Typography
              variant="h3"
              component="p"
              sx={{ fontSize: '1.25rem', fontVariantNumeric: 'tabular-nums' }}
            >
              {words.responses(stats.responsecount)}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {createdAt === null ? texts.neverRead : texts.readAt(moment(createdAt))}
            </Typography>
          </Box>
          {stats.survey_id !== null && <RefreshChip stats={stats} refresh={refresh} />}
        </Box>
        {createdAt === null ? (
          <Typography>
            {stats.survey_id !== null && stats.refresh === null && texts.neverReadNext} {texts.neverReadVotes}
          </Typography>
        ) : (
          <Hint stats={stats} />
        )}
      </Paper>
      <RefreshState stats={stats} opening={opening} refresh={refresh} moment={moment} />
    </Box>
  );
}

function RefreshChip({ stats, refresh }: Pick<ResponsesCardProps, 'stats' | 'refresh'>) {
  const busy = stats.refresh !== null || refresh.starting;
  const fresh = stats.up_to_date && !busy;
  return (
    <Chip
      component="button"
      type="button"
      icon={fresh ? <CheckIcon size={16} /> : <RetryIcon size={16} />}
      label={fresh ? words.upToDate : words.refresh}
      variant={fresh ? 'outlined' : 'filled'}
      color={fresh ? 'default' : 'primary'}
      // The button keeps the focus while it waits; a disabled one would not.
      aria-disabled={busy || undefined}
      onClick={() => busy || refresh.press()}
      sx={{
        height: 40,
        px: 1,
        fontSize: '0.9375rem',
        fontWeight: 620,
        ...(busy && { opacity: 0.45, cursor: 'default' }),
        '& .MuiChip-icon': { color: 'inherit' },
      }}
    />
  );
}

/** How many responses do not count, and why. */
function Hint({ stats }: { stats: AwardStats }) {
  const { sentence, reasons } = leftOutWords(stats);
  const others = [
    ...(stats.anonymous > 0 ? [texts.anonymous(stats.anonymous)] : []),
    ...(stats.blank > 0 ? [texts.blank(stats.blank)] : []),
    texts.countedFrom(stats.counted_from === null ? null : shownOpeningDate(stats.counted_from)),
  ];
  return (
    <Box sx={{ typography: 'body2', color: 'text.secondary', display: 'grid', gap: 0.5 }}>
      <span>{sentence}</span>
      {reasons.length > 0 && (
        <Box component="ul" sx={{ m: 0, pl: 2.5, columns: { sm: 2 }, columnGap: 4 }}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </Box>
      )}
      <span>{others.join(' ')}</span>
    </Box>
  );
}
