/** The latest warnings and errors of the log, for those who cannot look into it. Texts of ours alone: no message of a failure, which may quote anything. */

export interface Trouble {
  /** When, in milliseconds since 1970. */
  at: number;
  level: 'warn' | 'error';
  /** What was logged. */
  message: string;
  /** What kind of failure it was; empty where there is none. */
  type: string;
  /** By which it is found in the log; empty outside a request. */
  requestId: string;
}

export interface LogMemory {
  /** @param level of pino @param args what the log was given @param bindings those of the child that was used */
  hear(level: number, args: readonly unknown[], bindings: Readonly<Record<string, unknown>>): void;
  /** The newest first. */
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
