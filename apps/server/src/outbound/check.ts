/** Checks whether another system is reachable and accepts the credentials. */
import { capital, outsideWords, type SystemState } from '../platform/outside.ts';
import { OutsideError } from './errors.ts';

/** Milliseconds for which a result is reused, so that many callers do not burden the system. */
const KEPT_MS = 10_000;
/** Milliseconds within which the system must answer. */
const TIMEOUT_MS = 5_000;

/**
 * Creates a check whose result all callers share.
 * @param ask one small call that needs the required permissions
 */
export function createCheck(
  system: string,
  ask: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<SystemState> {
  let last: { state: Promise<SystemState>; at: number } | null = null;

  async function state(): Promise<SystemState> {
    try {
      await ask(AbortSignal.timeout(TIMEOUT_MS));
      return { state: 'up', message: `${capital(system)} answers.`, next: null };
    } catch (error) {
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      const kind = error instanceof OutsideError ? error.kind : late ? 'timeout' : 'odd';
      const detail = error instanceof OutsideError ? error.detail : '';
      return { state: 'down', ...outsideWords(kind, system, detail), failure: { kind, detail } };
    }
  }

  return () => {
    if (!last || performance.now() - last.at > KEPT_MS) last = { state: state(), at: performance.now() };
    return last.state;
  };
}
