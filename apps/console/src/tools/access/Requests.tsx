import type { AccessPlaces, AccessRequest } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { accessChanged, decideRequest, requestsQuery } from '../../api/access.ts';
import { useProfile } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { ReviewedPerson } from './ReviewedPerson.tsx';
import { texts } from './texts.ts';
import { type Names, namesOf } from './words.ts';

const words = texts.requests;

/** Changes that wait for a second access administrator. */
export function Requests({ places }: { places: AccessPlaces | undefined }) {
  const query = useQuery(requestsQuery);
  if (query.isError)
    return <ErrorState error={query.error} title={texts.failed} onRetry={() => void query.refetch()} />;
  return (
    <Box aria-busy={query.isPending} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary">{words.purpose}</Typography>
      {query.data?.length === 0 && <EmptyState title={words.empty} />}
      {query.data?.map((request) => (
        <Request key={request.id} request={request} names={namesOf(places)} />
      ))}
    </Box>
  );
}

function Request({ request, names }: { request: AccessRequest; names: Names }) {
  const moment = momentFormat(useProfile().userProfile.time_zone);
  const announce = useAnnounce();
  const decide = useWrite({
    mutationFn: (approve: boolean) => decideRequest(request.id, approve),
    onSuccess() {
      announce(words.decided);
      void accessChanged();
    },
  });
  const { review, yours } = request;
  const barred = review.problem !== null || review.changes.some(({ problem }) => problem !== null);
  return (
    <Paper
      variant="outlined"
      sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography>{words.by(request.by, moment(request.expires_at))}</Typography>
      {request.why !== '' && <Typography>{words.why(request.why)}</Typography>}
      {review.problem !== null && <Notice tone="stop" title={review.problem} />}
      {review.not_replayed > 0 && (
        <Notice tone="info" title={texts.review.notReplayed(review.not_replayed)} />
      )}
      {review.changes.map((change) => (
        <ReviewedPerson key={change.login} change={change} names={names} />
      ))}
      {decide.isError && (
        <ErrorState error={decide.error} title={words.failed} details={review.changes.length > 1} />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button variant="outlined" disabled={decide.isPending} onClick={() => decide.write(false)}>
          {yours ? words.withdraw : words.refuse}
        </Button>
        {!yours && (
          <Button
            variant="contained"
            disabled={decide.isPending || barred}
            onClick={() => decide.write(true)}
          >
            {words.approve}
          </Button>
        )}
      </Box>
    </Paper>
  );
}
