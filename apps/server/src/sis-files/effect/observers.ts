/** Links between observers and the students they follow into courses, which the LMS shows person by person. */
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { observersOf } from '../../canvas/resources/users.ts';
import { type Asking, FEW } from './ask.ts';

/** Maximum number of newly enrolled students whose observers are looked up: each needs a request. */
const MOST_COMING_IN = 10 * FEW;

export class ObserverLinks {
  readonly #asking: Asking;
  readonly #observers = new Map<number, Promise<Answer<ReadonlySet<number>>>>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Names of found observers, by number. */
  readonly names = new Map<number, string>();
  /** Numbers of newly enrolled students whose observers are not known. */
  readonly unknown = new Set<number>();
  #comingIn = 0;

  /** Returns the numbers of the observers of a newly enrolled student; null if not known. @throws like `of` */
  async comingInWith(student: number): Promise<ReadonlySet<number> | null> {
    const within = this.#observers.has(student) || ++this.#comingIn <= MOST_COMING_IN;
    const found = within ? await this.of(student) : 'unread';
    if (typeof found !== 'string') return found;
    this.unknown.add(student);
    return null;
  }

  /** Returns the numbers of the observers of a student. @throws CanvasError when the token is refused */
  of(student: number): Promise<Answer<ReadonlySet<number>>> {
    let promise = this.#observers.get(student);
    if (!promise) {
      promise = answered(this.#asking, async () => {
        const all = new Set<number>();
        for (const { id, name } of await observersOf(this.#asking, student)) {
          all.add(id);
          this.names.set(id, name);
        }
        return all;
      });
      promise.catch(() => {});
      this.#observers.set(student, promise);
    }
    return promise;
  }
}
