import type { AccessQuestion, AccessRule, AccessWho } from '@lms-admin/contract/access';
import { actionById } from '@lms-admin/contract/access-actions';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { answerQuery, personQuery, whoQuery } from '../../api/access.ts';
import { AccessFacts } from '../../components/AccessFacts/AccessFacts.tsx';
import { useAnnounce } from '../../components/Announcer.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { CheckIcon, StopIcon } from '../../components/Icons.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { people as counted, texts } from './texts.ts';

const words = texts.check;

/** Everything that a person can do and see. */
export function PersonAnswer({ person }: { person: string }) {
  const query = useQuery(personQuery(person));
  return (
    <Answered query={query}>
      {query.data && (
        <>
          <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {query.data.login}
          </Typography>
          <AccessFacts level="h3" access={query.data} />
        </>
      )}
    </Answered>
  );
}

/** Describes the question with its role and place: the answer is only about these. */
function askedWords({ action }: AccessQuestion, role: string | null, place: AccessWho['place']): string {
  return [
    actionById(action).words,
    role === null ? '' : words.as(role),
    place === null ? '' : words.in(place.name),
  ].join('');
}

interface AnswerProps {
  person: string;
  question: AccessQuestion;
  /** Name of the role in the question. */
  role: string | null;
}

/** Yes or no, with the deciding rule. */
export function Answer({ person, question, role }: AnswerProps) {
  const query = useQuery(answerQuery(person, question));
  const { data } = query;
  const announcement =
    data && (data.may ? words.yes : words.no)(data.login, askedWords(question, role, data.place));
  useAnnouncement(announcement);
  return (
    <Answered query={query}>
      {data && (
        <>
          <Typography
            variant="h2"
            sx={{ color: data.may ? 'success.main' : 'error.main', overflowWrap: 'anywhere' }}
          >
            {announcement}
          </Typography>
          <Typography>
            <strong>{words.decides}:</strong> {data.decides.words}
          </Typography>
          <Rules rules={data.rules} />
        </>
      )}
    </Answered>
  );
}

function Rules({ rules }: { rules: readonly AccessRule[] }) {
  return (
    <Box
      component="ul"
      aria-label={words.rules}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}
    >
      {rules.map(({ rule, holds, words: text }) => (
        <Box key={rule} component="li" sx={{ display: 'flex', gap: 1 }}>
          <Box
            component="span"
            role="img"
            aria-label={holds ? words.holds : words.fails}
            sx={{ color: holds ? 'success.main' : 'error.main', lineHeight: 0, pt: '2px', flex: 'none' }}
          >
            {holds ? <CheckIcon size={18} /> : <StopIcon size={18} />}
          </Box>
          <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {text}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

type Person = AccessWho['people'][number];
const WHO: readonly Column<Person>[] = [
  { id: 'login', header: texts.people.login, value: ({ login }) => login, wrap: true },
  {
    id: 'where',
    header: texts.people.where,
    value: ({ perm }) => (perm === 'ALL' ? texts.people.everywhere : texts.record.programmesOnly),
    filter: 'choice',
  },
];
const whoKey = ({ login }: Person) => login;

/** Everyone for whom the answer is yes. */
export function Who({ question, role }: Omit<AnswerProps, 'person'>) {
  const query = useQuery(whoQuery(question));
  const { data } = query;
  const announcement = data && words.who(data.people.length, data.of, askedWords(question, role, data.place));
  useAnnouncement(announcement);
  return (
    <Answered query={query}>
      {data && (
        <>
          <Typography variant="h2">{announcement}</Typography>
          <DataTable
            rows={data.people}
            columns={WHO}
            rowKey={whoKey}
            label={words.whoTable}
            search
            counts={counted}
            empty={words.none}
          />
        </>
      )}
    </Answered>
  );
}

function Answered({ query, children }: { query: UseQueryResult; children: ReactNode }) {
  if (query.isError)
    return (
      <ErrorState
        error={query.error}
        title={words.failed}
        reference={false}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <Paper
      variant="outlined"
      aria-busy={query.isPending}
      sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {children}
    </Paper>
  );
}

/** Announces the answer once it has arrived. */
function useAnnouncement(announcement: string | undefined): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (announcement !== undefined) announce(announcement);
  }, [announce, announcement]);
}
