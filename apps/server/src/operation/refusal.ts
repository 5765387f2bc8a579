/** Thrown by a command that does not carry out a request, with the reason. */
export class Refusal extends Error {
  override name = 'Refusal';

  /** @param next the next step for the person, as a sentence */
  constructor(message: string, next: string, options?: ErrorOptions) {
    super(`${message} ${next}`, options);
  }
}
