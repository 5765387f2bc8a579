/** Observers linked to students. Reading them takes one call for each student (docs/decisions/people-lookups.md). */
import type { CanvasClient } from '../canvas/types.ts';
import { type Reading, readObservers, readOrWhy } from './read-lms.ts';

/** An observer as a review names them. */
interface LinkedObserver {
  id: number;
  name: string;
}

/**
 * Looks up each student once, even if they are in several courses of a plan. Each reading of a plan has its own
 * instance.
 */
export class LinkedObservers {
  readonly #canvas: CanvasClient;
  readonly #reading: Reading;
  readonly #students = new Map<number, Promise<ReadonlyMap<number, LinkedObserver> | null>>();

  constructor(canvas: CanvasClient, reading: Reading) {
    this.#canvas = canvas;
    this.#reading = reading;
  }

  /**
   * Returns the observers of a student by number, or null if they could not be read.
   * @throws the signal's reason, or CanvasError if a token is refused
   */
  of(student: number): Promise<ReadonlyMap<number, LinkedObserver> | null> {
    let answer = this.#students.get(student);
    if (!answer) {
      answer = this.#read(student);
      this.#students.set(student, answer);
    }
    return answer;
  }

  async #read(student: number) {
    const read = await readOrWhy({ read: 'observers', of: 'a student' }, this.#reading.signal, async () => ({
      observers: await readObservers(this.#canvas, student, this.#reading),
    }));
    // If two people are linked twice, the LMS can return both links.
    return 'observers' in read ? new Map(read.observers.map((one) => [one.id, one])) : null;
  }
}
