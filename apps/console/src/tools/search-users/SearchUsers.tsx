import { searchUsersMessages } from '@lms-admin/contract/messages/search-users';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { nameTerm } from '@lms-admin/domain/person-search';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { invoke } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { asOfWords } from '../../components/moments.ts';
import { type CopiedPeople, useCopiedPeople } from '../../components/PeopleLookup/useCopiedPeople.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { FoundUsers } from './FoundUsers.tsx';
import { SearchForm } from './SearchForm.tsx';
import { noneNext, searchProblem } from './search-problem.ts';
import { texts } from './texts.ts';

/** Search Users (area USR): the search is in the address, so that it can be shared and survives a reload. */
export default function SearchUsers() {
  const [params, setParams] = useSearchParams();
  const term = (params.get('q') ?? '').trim();
  const searched = searchProblem(term) === null;
  const announce = useAnnounce();
  // The term whose results are hidden: after an invalid text, they would seem to belong to that text.
  const [hidden, setHidden] = useState<string | null>(null);
  const found = useFound(term, searched);
  const { copied } = useCopiedPeople(searched ? nameTerm(term) : '');
  const users = found.data?.data;
  // Shown until the LMS has answered, or if it does not answer.
  const meanwhile = users === undefined && copied !== null && copied.people.length > 0 ? copied : null;
  useEffect(() => {
    if (users) announce(users.length === 0 ? searchUsersMessages.none : texts.found(users.length));
  }, [announce, users]);

  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Typography variant="h1" tabIndex={-1}>
        {searchUsersMessages.search}
      </Typography>
      <Paper variant="outlined" sx={{ p: 3, display: 'grid', gap: 3 }}>
        <SearchForm
          key={term}
          term={term}
          busy={found.isFetching}
          onSearch={(next) => {
            setHidden(null);
            if (next === term) void found.refetch();
            else setParams({ q: next });
          }}
          onRefused={() => setHidden(term)}
        />
        {hidden === term && searched ? null : found.isError ? (
          <>
            <ErrorState error={found.error} title={texts.failed} onRetry={() => void found.refetch()} />
            {meanwhile && <CopiedUsers copied={meanwhile} />}
          </>
        ) : meanwhile ? (
          <CopiedUsers copied={meanwhile} searching />
        ) : !searched ? (
          <EmptyState title={texts.start}>{texts.purpose}</EmptyState>
        ) : users?.length === 0 ? (
          <EmptyState title={searchUsersMessages.none}>{noneNext(term)}</EmptyState>
        ) : (
          <FoundUsers
            users={users ?? []}
            loading={found.isPending}
            more={(found.data?.pagination.nextPage ?? null) !== null}
          />
        )}
      </Paper>
    </Box>
  );
}

/** People of the copy, and when it was created. @param props.searching whether the LMS has not answered yet */
function CopiedUsers({ copied, searching = false }: { copied: CopiedPeople; searching?: boolean }) {
  const zone = useProfile().userProfile.time_zone;
  return (
    <>
      <Typography role="status">
        {[asOfWords(copied.as_of, zone), ...(searching ? [texts.searching] : [])].join(' ')}
      </Typography>
      <FoundUsers users={copied.people} loading={false} more={copied.more} />
    </>
  );
}

function useFound(term: string, enabled: boolean) {
  return useQuery({
    queryKey: ['user-search', term],
    queryFn: ({ signal }) =>
      invoke(
        'user-search',
        {},
        [
          ['search_term', nameTerm(term)],
          ['sort', 'username'],
          ['per_page', String(LMS_PAGE_SIZE)],
        ],
        { signal },
      ),
    enabled,
  });
}
