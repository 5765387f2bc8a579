import type { AccessChange, AccessPeople, AccessPlaces, ListedRecord } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { loginsQuery } from '../../api/access.ts';
import { useProfile } from '../../api/session.ts';
import { OneField } from '../../components/CoursePicker/OptionField.tsx';
import type { Option } from '../../components/CoursePicker/options.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { knownZone, momentFormat } from '../../components/moments.ts';
import { Toasts } from '../../components/Toast/Toasts.tsx';
import { useToasts } from '../../components/Toast/useToasts.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { bestFirst } from './best-first.ts';
import { type Draft, draftOf, EMPTY } from './draft.ts';
import { PeopleNotices } from './PeopleNotices.tsx';
import { RecordDialog } from './RecordDialog.tsx';
import { accountOptions } from './RecordFields.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';
import { people as counted, texts } from './texts.ts';
import {
  endsWords,
  type Names,
  namesOf,
  reaches,
  rolesWords,
  stateWords,
  toolsWords,
  whereWords,
} from './words.ts';

const words = texts.people;

interface PeopleProps {
  people: AccessPeople;
  places: AccessPlaces | undefined;
  /** New people from the comparison with the LMS, to start with. */
  adding: Draft | null;
  onAdded: () => void;
}

/** The dialog that is open over the table. */
type Open =
  | { what: 'record'; entry: ListedRecord | null; draft: Draft }
  | { what: 'bulk' }
  | { what: 'review'; changes: readonly AccessChange[]; back: Open | null };

/** The records as a table, with their actions. */
export function People({ people, places, adding, onAdded }: PeopleProps) {
  const [open, setOpen] = useState<Open | null>(
    adding === null ? null : { what: 'record', entry: null, draft: adding },
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toasts = useToasts();
  // The table does not wait for the result of checking logins in the LMS.
  const { data: logins } = useQuery(loginsQuery);
  const { time_zone } = useProfile().userProfile;
  const id = useId();
  const options = useMemo(() => accountOptions(places), [places]);
  const names = useMemo(() => namesOf(places), [places]);
  const [now] = useState(() => Date.now());
  const columns = useMemo(
    () =>
      columnsOf(names, { now, missing: new Set(logins?.missing) }, momentFormat(time_zone), (entry) =>
        setOpen({ what: 'record', entry, draft: draftOf(entry, knownZone(time_zone)) }),
      ),
    [names, now, logins, time_zone],
  );
  const [programme, setProgramme] = useState<Option | null>(null);
  const shown = useMemo(
    () =>
      programme === null
        ? people.records
        : people.records.filter((entry) => reaches(entry, programme.id, places)),
    [people.records, programme, places],
  );
  const chosen = shown.filter(({ login }) => selected.has(login));
  const editable = people.source === 'database';

  function close() {
    setOpen(null);
    onAdded();
  }

  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <PeopleNotices records={people.records} logins={logins} now={now} />
      <Box sx={{ maxWidth: 440 }}>
        <OneField
          id={id}
          label={words.programme}
          hint={words.programmeHint}
          options={options}
          value={programme}
          loading={places === undefined}
          disabled={false}
          filterOptions={bestFirst}
          onChange={setProgramme}
        />
      </Box>
      <DataTable
        rows={shown}
        columns={columns}
        rowKey={recordKey}
        label={words.title}
        search
        pageSizes={[25, 50, 100]}
        counts={counted}
        empty={words.empty}
        {...(editable && { selection: { selected, onChange: setSelected } })}
        actions={
          editable && (
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
              {chosen.length > 0 && (
                <Button variant="outlined" onClick={() => setOpen({ what: 'bulk' })}>
                  {words.change(chosen.length)}
                </Button>
              )}
              <Button
                variant="contained"
                onClick={() => setOpen({ what: 'record', entry: null, draft: EMPTY })}
              >
                {words.add}
              </Button>
            </Box>
          )
        }
      />
      <OpenDialog
        open={open}
        people={people}
        places={places}
        names={names}
        chosen={chosen}
        onOpen={setOpen}
        onClose={close}
        onSaved={(text) => {
          setSelected(new Set());
          close();
          toasts.show(text, 'done');
        }}
      />
      <Toasts toasts={toasts.toasts} onClose={toasts.close} />
    </Box>
  );
}

interface OpenDialogProps {
  open: Open | null;
  people: AccessPeople;
  places: AccessPlaces | undefined;
  names: Names;
  /** The selected records. */
  chosen: readonly ListedRecord[];
  onOpen: (open: Open | null) => void;
  onClose: () => void;
  /** @param text confirmation of the save */
  onSaved: (text: string) => void;
}

/** The dialog over the table: a record, many records, or the review of a change. */
function OpenDialog({ open, people, places, names, chosen, onOpen, onClose, onSaved }: OpenDialogProps) {
  switch (open?.what) {
    case 'record':
      return (
        <RecordDialog
          entry={open.entry}
          first={open.draft}
          people={people}
          places={places}
          onClose={onClose}
          onReview={(changes, draft) => onOpen({ what: 'review', changes, back: { ...open, draft } })}
        />
      );
    case 'bulk':
      return (
        <BulkDialog
          entries={chosen}
          onClose={onClose}
          onReview={(changes) => onOpen({ what: 'review', changes, back: open })}
        />
      );
    case 'review':
      return (
        <ReviewDialog
          changes={open.changes}
          names={names}
          onBack={() => onOpen(open.back)}
          onSaved={onSaved}
        />
      );
    default:
      return null;
  }
}

const recordKey = ({ login }: ListedRecord) => login;

interface Known {
  now: number;
  /** Logins that the LMS does not have. */
  missing: ReadonlySet<string>;
}

function columnsOf(
  names: Names,
  { now, missing }: Known,
  moment: (iso: string | null) => string,
  open: (entry: ListedRecord) => void,
): readonly Column<ListedRecord>[] {
  return [
    {
      id: 'login',
      header: words.login,
      value: ({ login }) => login,
      cell: (entry, tabIndex) => (
        <Link
          component="button"
          type="button"
          tabIndex={tabIndex}
          aria-label={words.openOf(entry.login)}
          onClick={(event) => {
            event.stopPropagation();
            open(entry);
          }}
          sx={{ font: 'inherit', textAlign: 'left', overflowWrap: 'anywhere' }}
        >
          {entry.login}
        </Link>
      ),
      width: '20%',
      minWidth: 190,
      wrap: true,
    },
    {
      id: 'where',
      header: words.where,
      // The filter is “People in a programme”: the text of this cell also occurs in the names of other programmes,
      // and does not include people with access to the whole school.
      value: (entry) => whereWords(entry, names),
      wrap: true,
      minWidth: 140,
    },
    { id: 'tools', header: words.tools, value: toolsWords, filter: 'words', wrap: true, minWidth: 160 },
    {
      id: 'roles',
      header: words.roles,
      // The filter covers all roles, even if the cell summarises them in one phrase.
      value: (entry) => rolesWords(entry, names),
      cell: (entry) => (entry.record.perm === 'ALL' ? words.everyRole : rolesWords(entry, names)),
      filter: 'words',
      wrap: true,
      minWidth: 130,
    },
    {
      id: 'state',
      header: words.state,
      value: (entry) => stateWords(entry, missing),
      filter: 'choice',
      wrap: true,
      width: '112px',
    },
    {
      id: 'ends',
      header: words.ends,
      // The filter is by how soon access ends, but the cell shows the date.
      value: (entry) => endsWords(entry, now),
      cell: ({ expires_at }) => (expires_at === null ? words.endsIn.never : moment(expires_at)),
      filter: 'choice',
      width: '170px',
    },
    { id: 'reason', header: words.reason, value: ({ reason }) => reason, wrap: true, minWidth: 110 },
  ];
}
