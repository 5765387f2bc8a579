/** Observers whom the LMS enrols with students, or whose state it changes with theirs, totalled over a plan. */
import { type AddedWith, MOST_NAMED_WITH } from '@lms-admin/contract/enrollments';
import type { RowStatus } from '@lms-admin/domain/enrollment-states';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { LinkedObservers } from './linked-observers.ts';
import { type Reading, readObserving, readOrWhy } from './read-lms.ts';

/** Number of students looked up at once; the client limits the calls in flight. */
export const AT_ONCE = 32;
/** Maximum number of students whose observers are looked up, since each needs a call. */
export const MOST_STUDENTS = 1_000;

/** Rows of one place that set people's state. */
export interface StateRows {
  roleId: number;
  status: Exclude<RowStatus, 'deleted'>;
  /** Null if the section does not exist yet. */
  sectionId: number | null;
  people: readonly { id: number; name: string }[];
}

/**
 * Finds the observers affected by the rows of a plan.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function addedWithOf(
  { canvas, roles }: { canvas: CanvasClient; roles: Roles },
  rows: readonly StateRows[],
  { onStep, ...reading }: Reading & { onStep: (done: number, total: number) => void },
): Promise<AddedWith> {
  const ofStudents = new Map<number, boolean>();
  for (const id of new Set(rows.map(({ roleId }) => roleId)))
    ofStudents.set(id, (await roles.isStudent(reading.admin.token, id, reading.signal)) ?? true);
  const students = new Map<number, { name: string; places: StateRows[] }>();
  for (const place of rows)
    for (const { id, name } of ofStudents.get(place.roleId) ? place.people : []) {
      const known = students.get(id) ?? { name, places: [] };
      students.set(id, known);
      known.places.push(place);
    }
  const linked = new LinkedObservers(canvas, reading);
  const observing = new Observing(canvas, reading);
  let done = 0;
  const found = await mapLimited([...students], AT_ONCE, async ([id, { name, places }], at) => {
    onStep(done++, students.size);
    const observers = at < MOST_STUDENTS ? await linked.of(id) : null;
    if (observers === null) return null;
    const who: AddedWith['who'] = [];
    for (const observer of observers.values()) {
      const states = await observing.states(observer.id, id);
      if (states === null) return null;
      const count = places.filter((place) => comesAlong(place, states)).length;
      if (count > 0) who.push({ person: observer.name, student: name, places: count });
    }
    return who;
  });
  const who = found.flatMap((one) => one ?? []);
  return {
    observers: who.reduce((sum, { places }) => sum + places, 0),
    who: who.slice(0, MOST_NAMED_WITH),
    unread: found.filter((one) => one === null).length,
  };
}

/** Returns whether the rows create or change an observer's enrolment. @param states of existing enrolments, by section */
function comesAlong({ status, sectionId }: StateRows, states: ReadonlyMap<number, string>): boolean {
  const now = sectionId === null ? undefined : states.get(sectionId);
  // A new observer enrolment is only created with a student who becomes active.
  return now === undefined ? status === 'active' : now !== status;
}

/** Looks up the sections in which people observe; each person is looked up once. */
export class Observing {
  readonly #canvas: CanvasClient;
  readonly #reading: Reading;
  readonly #places = new Map<number, ReturnType<Observing['placesOf']>>();

  constructor(canvas: CanvasClient, reading: Reading) {
    this.#canvas = canvas;
    this.#reading = reading;
  }

  /** Returns the sections in which a person observes a student, with the states; null if they could not be read. */
  async states(observer: number, student: number): Promise<ReadonlyMap<number, string> | null> {
    let answer = this.#places.get(observer);
    if (!answer) {
      answer = this.placesOf(observer);
      this.#places.set(observer, answer);
    }
    const places = await answer;
    return (
      places && new Map(places.flatMap((one) => (one.student === student ? [[one.section, one.state]] : [])))
    );
  }

  async placesOf(observer: number) {
    const read = await readOrWhy(
      { read: 'enrolments', of: 'an observer' },
      this.#reading.signal,
      async () => ({
        places: await readObserving(this.#canvas, observer, this.#reading),
      }),
    );
    return 'places' in read ? read.places : null;
  }
}
