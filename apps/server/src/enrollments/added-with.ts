/** Observers whom the LMS enrols together with students, or gives the state that a student gets, summed over a plan. */
import { type AddedWith, MOST_NAMED_WITH } from '@lms-admin/contract/enrollments';
import type { RowStatus } from '@lms-admin/domain/enrollment-states';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { type Reading, readObservers, readObserving, readOrWhy } from './read-lms.ts';

/** Students who are asked about at once; the client decides how many calls of them are in flight. */
const AT_ONCE = 32;
/** Students up to whom their observers are asked for: each costs a question. */
const MOST_STUDENTS = 1_000;

/** Rows of one place that set the state of people. */
export interface StateRows {
  roleId: number;
  status: Exclude<RowStatus, 'deleted'>;
  /** Null where the section is still to be made. */
  sectionId: number | null;
  people: readonly { id: number; name: string }[];
}

/**
 * What comes along with the rows of a plan.
 * @throws the signal's reason, or CanvasError when a token is refused
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
  const observing = new Observing(canvas, reading);
  let done = 0;
  const found = await mapLimited([...students], AT_ONCE, async ([id, { name, places }], at) => {
    onStep(done++, students.size);
    const those = at < MOST_STUDENTS ? await observing.of(id) : null;
    if (those === null) return null;
    const who: AddedWith['who'] = [];
    for (const observer of those) {
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

/** Whether the enrolment of an observer is made, or changes its state. @param states of those that there are, by section */
function comesAlong({ status, sectionId }: StateRows, states: ReadonlyMap<number, string>): boolean {
  const now = sectionId === null ? undefined : states.get(sectionId);
  // Only who becomes active brings along someone who was not there.
  return now === undefined ? status === 'active' : now !== status;
}

/** Who observes whom, and where: each person is asked about once. */
class Observing {
  readonly #canvas: CanvasClient;
  readonly #reading: Reading;
  readonly #places = new Map<number, ReturnType<Observing['placesOf']>>();

  constructor(canvas: CanvasClient, reading: Reading) {
    this.#canvas = canvas;
    this.#reading = reading;
  }

  /** The observers of a student; null where they could not be read. */
  async of(student: number) {
    const read = await readOrWhy({ read: 'observers', of: 'a student' }, this.#reading.signal, async () => ({
      observers: await readObservers(this.#canvas, student, this.#reading),
    }));
    // Of two links between the same people the LMS may tell both.
    return 'observers' in read ? new Map(read.observers.map((one) => [one.id, one])).values() : null;
  }

  /** In which sections someone observes a student, with the states; null where that could not be read. */
  async states(observer: number, student: number): Promise<ReadonlyMap<number, string> | null> {
    let asked = this.#places.get(observer);
    if (!asked) {
      asked = this.placesOf(observer);
      this.#places.set(observer, asked);
    }
    const places = await asked;
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
