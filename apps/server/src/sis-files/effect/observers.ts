/** Who follows whom from course to course: links between observers and students, which the LMS tells person by person. */
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { observersOf } from '../../canvas/resources/users.ts';
import { type Asking, FEW } from './ask.ts';

/** Students who come in, up to which their observers are asked for: each costs a question. */
const MOST_COMING_IN = 10 * FEW;

export class ObserverLinks {
  readonly #asking: Asking;
  readonly #observers = new Map<number, Promise<Answer<ReadonlySet<number>>>>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Names of observers who were found, by their numbers. */
  readonly names = new Map<number, string>();
  /** Numbers of the students who come in and whose observers are not known. */
  readonly unknown = new Set<number>();
  #comingIn = 0;

  /** Numbers of the observers of a student who comes into a course; null where they are not known. @throws like `of` */
  async comingInWith(student: number): Promise<ReadonlySet<number> | null> {
    const within = this.#observers.has(student) || ++this.#comingIn <= MOST_COMING_IN;
    const found = within ? await this.of(student) : 'unread';
    if (typeof found !== 'string') return found;
    this.unknown.add(student);
    return null;
  }

  /** Numbers of the observers of a student. @throws CanvasError when the token is refused */
  of(student: number): Promise<Answer<ReadonlySet<number>>> {
    let asked = this.#observers.get(student);
    if (!asked) {
      asked = answered(this.#asking, async () => {
        const all = new Set<number>();
        for (const { id, name } of await observersOf(this.#asking, student)) {
          all.add(id);
          this.names.set(id, name);
        }
        return all;
      });
      asked.catch(() => {});
      this.#observers.set(student, asked);
    }
    return asked;
  }
}
