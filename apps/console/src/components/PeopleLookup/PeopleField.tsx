import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useMemo, useRef } from 'react';
import { useHasTool, useProfile } from '../../api/session.ts';
import { useAnnounce } from '../Announcer.tsx';
import { ChipsInput } from '../ChipsInput/ChipsInput.tsx';
import type { ChipsState } from '../ChipsInput/chips-state.ts';
import type { Suggests } from '../ChipsInput/suggestions.ts';
import { texts as chipTexts } from '../ChipsInput/texts.ts';
import { CheckIcon, RetryIcon, StopIcon, WarningIcon } from '../Icons.tsx';
import { later } from '../later.tsx';
import { asOfWords } from '../moments.ts';
import type { LookupResult, LookupStore } from './lookup-store.ts';
import { nameEntries, wordsOf } from './named-entries.ts';
import { texts } from './texts.ts';
import { useLookupVersion } from './useLookups.ts';

const Line = styled('span')(({ theme }) => ({
  display: 'grid',
  // However long an ID is, half of the line remains for the person's name, or for the problem.
  gridTemplateColumns: '16px fit-content(50%) minmax(0, 1fr)',
  columnGap: 8,
  alignItems: 'center',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& code': { fontFamily: 'var(--lms-mono)', overflow: 'hidden', textOverflow: 'ellipsis' },
  '& svg': { display: 'block' },
  '& .found': { color: theme.vars.palette.primary.main },
  '& .not-found': { color: theme.vars.palette.warning.main },
  '& .failed': { color: theme.vars.palette.error.main },
  '& .login, & .looking, & .quiet': { color: theme.vars.palette.text.secondary },
  // An address needs the whole width; the person is shown below it.
  '&.email': { gridTemplateColumns: '16px minmax(0, 1fr)' },
  '&.email > .address': {
    gridColumn: '1 / -1',
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    lineHeight: '20px',
  },
}));

const Summary = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 12,
  fontVariantNumeric: 'tabular-nums',
  // Why the lookup failed: a separate line in the size of running text.
  '& .why': { flexBasis: '100%', fontSize: '0.875rem', fontWeight: 400 },
  '& .quiet': { fontSize: '0.875rem', fontWeight: 400, color: theme.vars.palette.text.secondary },
}));

/** Suggests people for a typed name, if the text cannot be an address or a number. */
const NAMES: Suggests = {
  List: later(() => import('./NameSuggestions.tsx').then(({ NameSuggestions }) => NameSuggestions), null),
  offers: (text) => /^[^@\d;]+$/u.test(text) && text.trim().length >= MIN_SEARCH_LENGTH,
};

/** Lookup parameter for each kind of entry. */
const REQUESTED_BY = { 'sis-id': 'sis_id', email: 'email' } as const;

export interface PeopleFieldProps {
  kind: keyof typeof REQUESTED_BY;
  /** ID of the field, for the focus after a warning. */
  id: string;
  label: string;
  hint: string;
  /** For a field among many: the purpose of its people, such as the name of a section. */
  of?: string;
  people: ChipsState;
  onChange: (people: ChipsState) => void;
  lookups: LookupStore;
}

/**
 * People by SIS ID (SE-11) or email address (CE-09), each with a name once it has been looked up (OP-45, OP-50).
 * People who are not found are only marked: the review looks them up again and decides.
 */
export function PeopleField({ kind, id, label, hint, of, people, onChange, lookups }: PeopleFieldProps) {
  const { chips } = people;
  const by = REQUESTED_BY[kind];
  const where = of ?? label;
  const version = useLookupVersion(lookups, chips.length > 0);
  const announce = useAnnounce();
  // Looking up names needs the permission to search people.
  const maySearch = useHasTool('search-users');
  const named = useMemo(
    () => nameEntries(chips, (entry) => lookups.get(by, entry)),
    // The store stays the same object while its content changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [chips, by, lookups, version],
  );

  const announced = useRef('');
  useEffect(() => {
    if (!named.settled || named.words === '' || announced.current === named.words) return;
    announced.current = named.words;
    announce(texts.result(where, named.words));
  }, [named, where, announce]);

  const addresses = kind === 'email';
  return (
    <ChipsInput
      kind={kind}
      compact={of !== undefined}
      id={id}
      label={label}
      hint={maySearch && of === undefined ? `${hint} ${texts.byName}` : hint}
      state={people}
      onChange={onChange}
      {...(maySearch && { suggests: NAMES })}
      details={{
        ...(of !== undefined && { list: texts.people(of) }),
        below: addresses,
        first: named.wrong,
        render: (entry) => <Named kind={kind} entry={entry} looked={lookups.get(by, entry)} />,
        say: (entry) => wordsOf(lookups.get(by, entry)),
        summary: (
          <LookupSummary
            count={addresses ? chipTexts.list(kind, chips.length) : null}
            where={where}
            named={named}
            lookups={lookups}
          />
        ),
      }}
    />
  );
}

interface LookupSummaryProps {
  /** Number of addresses. A failed lookup then also says that the review looks them up again. */
  count: string | null;
  where: string;
  named: ReturnType<typeof nameEntries>;
  lookups: LookupStore;
}

/** How many people were found, and why others could not be looked up. */
function LookupSummary({ count, where, named, lookups }: LookupSummaryProps) {
  const zone = useProfile().userProfile.time_zone;
  const addresses = count !== null;
  const { failure } = lookups;
  return (
    <Summary>
      {addresses && <span>{count}</span>}
      <span className={addresses ? 'quiet' : undefined}>
        {named.asOf === null ? named.words : `${named.words} · ${asOfWords(named.asOf, zone)}`}
      </span>
      {named.failed && (addresses || failure !== null) && (
        <span className={addresses ? 'why quiet' : 'why'}>
          {[
            ...(failure === null ? [] : [`${failure.message} ${failure.next}`]),
            ...(addresses ? [texts.notLookedUp] : []),
          ].join(' ')}
        </span>
      )}
      {named.failed && (
        <Button
          size="small"
          startIcon={<RetryIcon size={16} />}
          aria-label={texts.repeatOf(where)}
          onClick={() => lookups.retry()}
        >
          {texts.retry}
        </Button>
      )}
    </Summary>
  );
}

const marks = {
  found: <CheckIcon size={16} />,
  'not-found': <WarningIcon size={16} />,
  failed: <StopIcon size={16} />,
} as const;

interface NamedProps {
  kind: PeopleFieldProps['kind'];
  entry: string;
  looked: LookupResult | undefined;
}

function Named({ kind, entry, looked }: NamedProps) {
  const state = looked?.result ?? 'looking';
  if (kind === 'email') {
    // An address whose lookup failed simply has no name yet: the address may be correct.
    const shown = state === 'failed' ? 'quiet' : state;
    return (
      <Line className="email">
        <span className="address">{entry}</span>
        <span className={shown}>{looked && looked.result !== 'failed' && marks[looked.result]}</span>
        <span className={state === 'found' ? 'quiet' : shown}>
          {state === 'failed' ? '' : wordsOf(looked)}
        </span>
      </Line>
    );
  }
  return (
    <Line>
      <span className={state}>{looked && marks[looked.result]}</span>
      <code>{entry}</code>
      <span className={looked?.result === 'found' ? undefined : state}>
        {wordsOf(looked)}
        {looked?.result === 'found' && (
          <>
            {' '}
            <span className="login">{looked.person.login_id ?? texts.noLogin}</span>
          </>
        )}
      </span>
    </Line>
  );
}
