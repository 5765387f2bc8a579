/**
 * The latest warnings and errors of the log, for people without access to it. Only LMS Admin's own texts are
 * kept, because error messages may quote anything.
 */

export interface Trouble {
  /** Time in milliseconds since 1970. */
  at: number;
  level: 'warn' | 'error';
  message: string;
  /** Class of the error; empty if there is none. */
  type: string;
  /** Id of the request, by which the entry can be found in the log; empty outside a request. */
  requestId: string;
}

export interface LogMemory {
  /** @param level level of pino @param args arguments of the log call @param bindings those of the child logger used */
  hear(level: number, args: readonly unknown[], bindings: Readonly<Record<string, unknown>>): void;
  /** Returns the entries, newest first. */
  troubles(): Trouble[];
}

const MOST = 50;
/** Levels of pino. */
const WARN = 40;
const ERROR = 50;

export function createLogMemory(): LogMemory {
  const kept: Trouble[] = [];
  return {
    hear(level, args, bindings) {
      if (level < WARN) return;
      const [first, second] = args;
      const message = typeof first === 'string' ? first : second;
      kept.push({
        at: Date.now(),
        level: level < ERROR ? 'warn' : 'error',
        message: typeof message === 'string' ? message : '',
        type: typeOf(first),
        requestId: typeof bindings.reqId === 'string' ? bindings.reqId : '',
      });
      if (kept.length > MOST) kept.shift();
    },
    troubles: () => kept.toReversed(),
  };
}

function typeOf(given: unknown): string {
  const failure = typeof given === 'object' && given !== null && 'err' in given ? given.err : given;
  return failure instanceof Error ? failure.name : '';
}
