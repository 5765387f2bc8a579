/** Events with others nested below them, and a filter below each column heading. */
import { useState } from 'react';
import { DataTable } from '../../apps/console/src/components/DataTable/DataTable.tsx';
import type { Column, Selection } from '../../apps/console/src/components/DataTable/types.ts';

interface Event {
  id: number;
  title: string;
  campus: string;
  people: number;
  below: readonly Event[];
}

const CAMPUSES = ['Fontainebleau', 'Singapore', 'Abu Dhabi'];
const COURSES = ['Corporate Finance', 'Marketing', 'Strategy', 'Leadership'];

/** Every third event is a single one. The others have two nested below them, and the first of these has one more. */
const events: Event[] = Array.from({ length: 30 }, (_, place) => {
  const id = (place + 1) * 10;
  const title = `${COURSES[place % COURSES.length]} ${place + 1}`;
  const one = (step: number, part: string, below: readonly Event[] = []): Event => ({
    id: id + step,
    title: `${title} ${part}`,
    campus: CAMPUSES[(place + step) % CAMPUSES.length] ?? '',
    people: id + step,
    below,
  });
  const campus = CAMPUSES[place % CAMPUSES.length] ?? '';
  const below = place % 3 === 2 ? [] : [one(1, 'morning', [one(3, 'early group')]), one(2, 'evening')];
  return { id, title, campus, people: id, below };
});

const columns: Column<Event>[] = [
  { id: 'title', header: 'Title', value: (row) => row.title, filter: 'words', minWidth: 260 },
  {
    id: 'campus',
    header: 'Campus',
    value: (row) => row.campus,
    filter: 'choice',
    width: '180px',
    minWidth: 140,
  },
  {
    id: 'people',
    header: 'People',
    value: (row) => row.people,
    kind: 'number',
    width: '120px',
    searchable: false,
  },
];
const keyOf = (row: Event) => row.id;
const childRows = (row: Event) => row.below;
const belongsToNone = (row: Event) => row.id % 10 === 0;

export function Events({ selecting }: { selecting: boolean }) {
  const [selected, onChange] = useState<ReadonlySet<number>>(new Set());
  const selection: Selection<number, Event> = { selected, onChange, selectable: belongsToNone };
  return (
    <DataTable<Event, number>
      rows={events}
      columns={columns}
      rowKey={keyOf}
      childRows={childRows}
      label="Events"
      search
      pageSizes={[10, 50]}
      {...(selecting && { selection })}
      empty="none"
    />
  );
}
