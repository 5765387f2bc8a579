/** A command that does not do what was asked for, and says why. */
export class Refusal extends Error {
  override name = 'Refusal';

  /** @param next what to do about it, as a sentence */
  constructor(message: string, next: string, options?: ErrorOptions) {
    super(`${message} ${next}`, options);
  }
}
