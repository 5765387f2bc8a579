import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chosenRows,
  type EventRow,
  eventRows,
  mainEvents,
  titleOf,
  withoutProblems,
} from '../../src/tools/zoom-creation/event-rows.ts';
import { ALMA, eventOf, HUGO } from './events.ts';

/** Ids, each with the ids nested below it. */
type Tree = (number | [number, Tree])[];
const tree = (rows: readonly EventRow[]): Tree =>
  rows.map(({ event, rows: below }) => (below.length === 0 ? event.id : [event.id, tree(below)]));

describe('OP-66 events as rows', () => {
  test('ZC-06 ZC-16 merged events are below their main event, and section events below the event of the course', () => {
    const rows = eventRows([
      eventOf(1, { zoom_link: 'https://zoom.example/j/1' }),
      eventOf(2, { zoom_parent_id: 1 }),
      eventOf(3, { hidden: true }),
      eventOf(4, { parent_event_id: 3, context_code: 'course_section_9' }),
      eventOf(5, { parent_event_id: 3, context_code: 'course_section_10' }),
    ]);
    expect(tree(rows)).toEqual([
      [1, [2]],
      [3, [4, 5]],
    ]);
    expect(rows.map(({ merged }) => merged)).toEqual([1, 0]);
  });

  test('ZC-09 ZC-17 a merged event with section times has two levels below it; only merged ones are counted', () => {
    const rows = eventRows([
      eventOf(1),
      eventOf(3, { hidden: true, zoom_parent_id: 1 }),
      // Sections of a merged event may also be marked as merged; they still belong to their own event.
      eventOf(4, { parent_event_id: 3, zoom_parent_id: 1 }),
    ]);
    expect(tree(rows)).toEqual([[1, [[3, [4]]]]]);
    expect(rows[0]).toMatchObject({ merged: 1, kind: 'own' });
    expect(rows[0]?.rows[0]).toMatchObject({ kind: 'merged', merged: 0 });
    expect(rows[0]?.rows[0]?.rows[0]?.kind).toBe('section');
  });

  test('ZC-12 an event that belongs to another cannot be selected, even if the other is outside the period', () => {
    const rows = eventRows([
      eventOf(1),
      eventOf(2, { zoom_parent_id: 99 }),
      eventOf(3, { parent_event_id: 98 }),
    ]);
    expect(tree(rows)).toEqual([1, 2, 3]);
    expect(rows.map(({ selectable }) => selectable)).toEqual([true, false, false]);
    expect(chosenRows(rows, new Set([1, 2, 3])).map(({ event }) => event.id)).toEqual([1]);
  });

  test('an event with section times shows the host and the alternative hosts of a section that has them', () => {
    const [row] = eventRows([
      eventOf(3, { hidden: true }),
      eventOf(4, { parent_event_id: 3 }),
      eventOf(5, { parent_event_id: 3, zoom_owner: ALMA, zoom_alternative_host: `${HUGO}, ` }),
    ]);
    expect(row).toMatchObject({ host: ALMA, coHosts: [HUGO] });
  });

  test('OP-69 if sections have different hosts, the last one counts, because earlier ones may be over', () => {
    const at = (day: number) => ({ start_at: `2026-11-${day}T08:00:00Z` });
    const [row] = eventRows([
      eventOf(3, { hidden: true }),
      eventOf(4, { parent_event_id: 3, zoom_owner: ALMA, ...at(10) }),
      eventOf(5, { parent_event_id: 3, zoom_owner: HUGO, ...at(25) }),
      eventOf(6, { parent_event_id: 3, zoom_owner: ALMA, ...at(17) }),
    ]);
    expect(row?.host).toBe(HUGO);
    expect(row?.rows.map(({ event }) => event.id)).toEqual([4, 5, 6]);
  });

  test('whatever the events refer to, each appears once', () => {
    const id = fc.integer({ min: 1, max: 8 });
    const some = fc.uniqueArray(
      fc.record({ id, zoom_parent_id: fc.option(id), parent_event_id: fc.option(id) }),
      { selector: (one) => one.id },
    );
    fc.assert(
      fc.property(some, (events) => {
        const seen: number[] = [];
        const visit = (rows: readonly EventRow[]) => {
          for (const row of rows) {
            seen.push(row.event.id);
            visit(row.rows);
          }
        };
        visit(eventRows(events.map(({ id: own, ...more }) => eventOf(own, more))));
        expect(seen).toHaveLength(events.length);
        expect(new Set(seen)).toEqual(new Set(events.map((one) => one.id)));
      }),
    );
  });
});

test('ZC-33 OP-71 main events have a link, belong to no other event and are not selected', () => {
  const link = { zoom_link: 'https://zoom.example/j/1' };
  const rows = eventRows([
    eventOf(1, link),
    eventOf(2, link),
    eventOf(3),
    eventOf(4, { ...link, zoom_parent_id: 1 }),
    eventOf(5, { ...link, zoom_parent_id: 99 }),
  ]);
  expect(mainEvents(rows, new Set([2])).map(({ event }) => event.id)).toEqual([1]);
});

test('an event with a problem is left out together with its sections', () => {
  const rows = eventRows([
    eventOf(1),
    eventOf(2),
    eventOf(3, { hidden: true }),
    eventOf(4, { parent_event_id: 3 }),
  ]);
  expect(withoutProblems(rows, new Set([1, 4])).map(({ event }) => event.id)).toEqual([2]);
});

test('invisible characters are removed from titles', () => {
  expect(titleOf(`Session 1${'\u200b'.repeat(10)}`)).toBe('Session 1');
  for (const none of [null, undefined, '', ' \u200b']) expect(titleOf(none)).toBe('No title');
});
