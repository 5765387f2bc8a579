import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useMemo, useRef } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { ChipsInput } from '../../components/ChipsInput/ChipsInput.tsx';
import type { ChipsState } from '../../components/ChipsInput/chips-state.ts';
import { CheckIcon, RetryIcon, StopIcon, WarningIcon } from '../../components/Icons.tsx';
import type { LookupResult, LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { useLookupVersion } from '../../components/PeopleLookup/useLookups.ts';
import { fieldId } from './assignments.ts';
import { nameIds } from './named-ids.ts';
import { texts } from './texts.ts';

const Line = styled('span')(({ theme }) => ({
  display: 'grid',
  // However long an id is, half of the line is left to say who it is, or what is wrong with it.
  gridTemplateColumns: '16px fit-content(50%) minmax(0, 1fr)',
  gap: 8,
  alignItems: 'center',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& code': { fontFamily: 'var(--lms-mono)', overflow: 'hidden', textOverflow: 'ellipsis' },
  '& svg': { display: 'block' },
  '& .found': { color: theme.vars.palette.primary.main },
  '& .not-found': { color: theme.vars.palette.warning.main },
  '& .failed': { color: theme.vars.palette.error.main },
  '& .login, & .looking': { color: theme.vars.palette.text.secondary },
}));

const Summary = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 12,
  fontVariantNumeric: 'tabular-nums',
  // Why nobody could be looked up: a line of its own, in the size of running text.
  '& .why': { flexBasis: '100%', fontSize: '0.875rem', fontWeight: 400 },
});

export interface PeopleFieldProps {
  /** Canvas id and name of the section. */
  section: number;
  name: string;
  people: ChipsState;
  onChange: (people: ChipsState) => void;
  lookups: LookupStore;
}

/** The people of a section, by SIS id (SE-11), each with who it is as the lookups end (OP-50). */
export function PeopleField({ section, name, people, onChange, lookups }: PeopleFieldProps) {
  const { chips } = people;
  const version = useLookupVersion(lookups, chips.length > 0);
  const announce = useAnnounce();
  const named = useMemo(
    () => nameIds(chips, (id) => lookups.get('sis_id', id)),
    // The store stays the same object while its content changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [chips, lookups, version],
  );

  const said = useRef('');
  useEffect(() => {
    if (!named.settled || named.words === '' || said.current === named.words) return;
    said.current = named.words;
    announce(texts.section.result(name, named.words));
  }, [named, name, announce]);

  return (
    <ChipsInput
      kind="sis-id"
      compact
      id={fieldId(section, 'ids')}
      label={texts.section.idsOf(name)}
      hint={texts.section.hint}
      state={people}
      onChange={onChange}
      details={{
        list: texts.section.people(name),
        first: named.wrong,
        render: (id) => <Named id={id} looked={lookups.get('sis_id', id)} />,
        summary: (
          <Summary>
            {named.words}
            {named.failed && lookups.failure !== null && (
              <span className="why">{`${lookups.failure.message} ${lookups.failure.next}`}</span>
            )}
            {named.failed && (
              <Button
                size="small"
                startIcon={<RetryIcon size={16} />}
                aria-label={texts.section.againOf(name)}
                onClick={() => lookups.again()}
              >
                {texts.section.again}
              </Button>
            )}
          </Summary>
        ),
      }}
    />
  );
}

const marks = {
  found: <CheckIcon size={16} />,
  'not-found': <WarningIcon size={16} />,
  failed: <StopIcon size={16} />,
} as const;

const words = {
  'not-found': texts.section.notFound,
  failed: texts.section.failed,
  looking: texts.section.looking,
} as const;

function Named({ id, looked }: { id: string; looked: LookupResult | undefined }) {
  const state = looked?.result ?? 'looking';
  return (
    <Line>
      <span className={state}>{looked && marks[looked.result]}</span>
      <code>{id}</code>
      {looked?.result === 'found' ? (
        <span>
          {looked.person.name}{' '}
          <span className="login">{looked.person.login_id ?? texts.section.noLogin}</span>
        </span>
      ) : (
        <span className={state}>{state === 'found' ? '' : words[state]}</span>
      )}
    </Line>
  );
}
