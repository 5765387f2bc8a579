import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { peopleQuery, placesQuery } from '../../api/access.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Check } from './Check.tsx';
import type { Draft } from './draft.ts';
import { History } from './History.tsx';
import { LmsAdmins } from './LmsAdmins.tsx';
import { People } from './People.tsx';
import { Requests } from './Requests.tsx';
import { texts } from './texts.ts';

type View = keyof typeof texts.view;
const VIEWS = Object.keys(texts.view) as View[];

/** Access: view, test and change what each administrator can do. */
export default function Access() {
  const [params, setParams] = useSearchParams();
  const people = useQuery(peopleQuery);
  const places = useQuery(placesQuery);
  const [adding, setAdding] = useState<Draft | null>(null);
  const requested = params.get('view') as View | null;
  const views = VIEWS.filter((view) => view !== 'requests' || people.data?.four_eyes);
  const view = requested !== null && VIEWS.includes(requested) ? requested : 'people';
  const handleAdd = useCallback(
    (draft: Draft) => {
      setAdding(draft);
      setParams({});
    },
    [setParams],
  );

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ScreenHead title={texts.title} purpose={texts.purpose} />
      <Views views={views} current={view} />
      <Paper sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="h2">{texts.view[view]}</Typography>
        {people.data?.source === 'file' && (
          <Notice tone="info" title={texts.fileOnly}>
            <Typography>{texts.fileOnlyNext}</Typography>
          </Notice>
        )}
        {places.isError && (
          <ErrorState
            error={places.error}
            title={texts.record.placesFailed}
            onRetry={() => void places.refetch()}
          />
        )}
        {people.isError ? (
          <ErrorState error={people.error} title={texts.failed} onRetry={() => void people.refetch()} />
        ) : (
          people.data && (
            <>
              {view === 'people' && (
                <People
                  people={people.data}
                  places={places.data}
                  adding={adding}
                  onAdded={() => setAdding(null)}
                />
              )}
              {view === 'check' && <Check people={people.data} places={places.data} />}
              {view === 'history' && <History places={places.data} />}
              {view === 'requests' && <Requests places={places.data} />}
              {view === 'lms' && <LmsAdmins onAdd={handleAdd} editable={people.data.source === 'database'} />}
            </>
          )
        )}
      </Paper>
    </Box>
  );
}

/** Links to the parts of the page; each has its own address. */
function Views({ views, current }: { views: readonly View[]; current: View }) {
  return (
    <Box component="nav" aria-label={texts.views}>
      <Box
        component="ul"
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: { xs: 1, sm: 2.5 } }}
      >
        {views.map((view) => (
          <li key={view}>
            <Link
              component={RouterLink}
              to={view === 'people' ? '?' : `?view=${view}`}
              aria-current={view === current ? 'page' : undefined}
              underline={view === current ? 'always' : 'hover'}
              sx={{
                display: 'inline-block',
                py: 1,
                fontWeight: view === current ? 650 : 500,
                textUnderlineOffset: '6px',
              }}
            >
              {texts.view[view]}
            </Link>
          </li>
        ))}
      </Box>
    </Box>
  );
}
