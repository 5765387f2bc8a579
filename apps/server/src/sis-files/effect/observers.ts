/** Who follows whom from course to course: links between observers and students, which the LMS tells person by person. */
import { z } from 'zod';
import { type Answer, type Asking, answered, id, pages } from './ask.ts';

const person = z.object({ id });

export class ObserverLinks {
  readonly #asking: Asking;
  readonly #observers = new Map<number, Promise<Answer<ReadonlySet<number>>>>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Numbers of the observers of a student. @throws CanvasError when the token is refused */
  of(student: number): Promise<Answer<ReadonlySet<number>>> {
    let asked = this.#observers.get(student);
    if (!asked) {
      asked = answered(this.#asking, async () => {
        const all = new Set<number>();
        for await (const { data } of pages(this.#asking, `users/${student}/observers`, person))
          for (const one of data) all.add(one.id);
        return all;
      });
      asked.catch(() => {});
      this.#observers.set(student, asked);
    }
    return asked;
  }
}
