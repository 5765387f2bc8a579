import { AppError } from '../platform/errors.ts';

/** Thrown by a command that does not carry out a request, with the reason. */
export class Refusal extends Error {
  override name = 'Refusal';

  /** @param next the next step for the person, as a sentence */
  constructor(message: string, next: string, options?: ErrorOptions) {
    super(`${message} ${next}`, options);
  }
}

/** Returns the refusal to show for a failure; null for an internal fault. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  return error instanceof AppError ? new Refusal(error.message, error.next) : null;
}
