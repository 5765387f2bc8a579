import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CheckIcon, LookIcon, RetryIcon, StopIcon } from '../../components/Icons.tsx';
import { NameList } from '../../components/NameList/NameList.tsx';
import type { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import type { ReadIds } from './assignments.ts';
import { listPeople, type NamedId } from './named-ids.ts';
import { texts } from './texts.ts';

/** Greatest height in px of the names; as high as the field beside them. */
const HEIGHT = 204;

const Line = styled('div')(({ theme }) => ({
  display: 'grid',
  // However long an entry is, half of the line is left to say what is wrong with it.
  gridTemplateColumns: '20px fit-content(50%) minmax(0, 1fr)',
  gap: 8,
  alignItems: 'start',
  fontSize: theme.typography.body2.fontSize,
  lineHeight: '20px',
  '& code': { minWidth: 64, fontFamily: 'var(--lms-mono)', overflowWrap: 'anywhere' },
  '& svg': { marginTop: 2 },
  '& .found': { color: theme.vars.palette.primary.main },
  '& .not-found': { color: theme.vars.palette.warning.main },
  '& .failed, & .invalid': { color: theme.vars.palette.error.main },
  '& .login, & .looking': { color: theme.vars.palette.text.secondary },
}));

export interface PeopleNamesProps {
  section: string;
  read: ReadIds;
  lookups: LookupStore;
}

/** Who the ids of a section stand for, as the lookups end; what is wrong comes first in a long list. */
export function PeopleNames({ section, read, lookups }: PeopleNamesProps) {
  const version = useSyncExternalStore(lookups.subscribe, lookups.version);
  const announce = useAnnounce();
  const list = useMemo(
    () => listPeople(read, (id) => lookups.get(id)),
    // The store stays the same object while its content changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [read, lookups, version],
  );
  const ids = useMemo(() => list.people.map(({ id }) => id), [list]);

  const said = useRef('');
  useEffect(() => {
    if (!list.settled || said.current === list.words) return;
    said.current = list.words;
    announce(texts.section.result(section, list.words));
  }, [list, section, announce]);

  return (
    <Box sx={{ display: 'grid', gap: 0.75, alignContent: 'start', minWidth: 0 }}>
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, typography: 'body2' }}
      >
        <Box component="span" sx={{ fontWeight: 620, fontVariantNumeric: 'tabular-nums' }}>
          {list.words}
        </Box>
        {list.failed.length > 0 && (
          <Button
            size="small"
            startIcon={<RetryIcon size={16} />}
            aria-label={texts.section.againOf(section)}
            onClick={() => lookups.again(list.failed)}
          >
            {texts.section.again}
          </Button>
        )}
      </Box>
      <NameList
        names={ids}
        label={texts.section.people(section)}
        height={HEIGHT}
        renderLine={(index) => {
          const person = list.people[index];
          return person ? <Named person={person} /> : null;
        }}
      />
    </Box>
  );
}

const marks = {
  found: <CheckIcon size={16} />,
  'not-found': <LookIcon size={16} />,
  failed: <StopIcon size={16} />,
  invalid: <StopIcon size={16} />,
  looking: null,
} as const;

const words = {
  'not-found': texts.section.notFound,
  failed: texts.section.failed,
  invalid: texts.section.invalid,
  looking: texts.section.looking,
} as const;

function Named({ person: { id, state, person } }: { person: NamedId }) {
  return (
    <Line>
      <span className={state}>{marks[state]}</span>
      <code>{id}</code>
      {state === 'found' ? (
        <span>
          {person?.name} <span className="login">{person?.login_id ?? texts.section.noLogin}</span>
        </span>
      ) : (
        <span className={state}>{words[state]}</span>
      )}
    </Line>
  );
}
