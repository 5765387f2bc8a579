/** The log: lines of JSON or plain text on standard output, without tokens, cookies or CSV. */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Config } from './config.ts';
import { createLogMemory, type LogMemory } from './log-memory.ts';

/** Fields that are masked in any logged object. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'accessToken',
  'refreshToken',
  'code',
  'csv',
  'payload',
];

/** @param destination replaces standard output (tests) */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const memory = createLogMemory();
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      logMethod(args, write, of) {
        memory.hear(of, args, this.bindings());
        write.apply(this, args);
      },
    },
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      censor: '[hidden]',
    },
    serializers: {
      // Causes may contain what was sent to another system; LMS Admin's own messages and stacks do not.
      err: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, ...textsOf(error), ...causeOf(error), ...answerIdOf(error) }
          : { message: String(error) },
    },
  };
  const log = destination ? pino(options, destination) : pino(options);
  MEMORIES.set(log, memory);
  return log;
}

/** Returns the destination of a log in this format; undefined for lines of JSON on standard output. */
export async function logDestination(format: Config['logFormat']): Promise<DestinationStream | undefined> {
  if (format === 'json') return undefined;
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize: false,
    singleLine: true,
    translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l o',
    sync: true,
  });
}

const MEMORIES = new WeakMap<Logger, LogMemory>();

/** Returns the latest failures in a log and its children. */
export function troublesOf(log: Logger): ReturnType<LogMemory['troubles']> {
  return MEMORIES.get(log)?.troubles() ?? [];
}

/**
 * Returns message and stack. Those of a failed query end with its values, which include names, CSV and encrypted
 * tokens: only the query is kept, and the cause explains the failure.
 */
function textsOf(error: Error): { message: string; stack: string | undefined } {
  const at = 'query' in error && 'params' in error ? error.message.indexOf('\nparams:') : -1;
  if (at < 0) return { message: error.message, stack: error.stack };
  const message = error.message.slice(0, at);
  return { message, stack: error.stack?.replace(error.message, () => message) };
}

/** Returns the ID that another system gave the failed request. */
function answerIdOf(error: Error): { answerId?: string } {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if ('answerId' in one && typeof one.answerId === 'string') return { answerId: one.answerId };
  }
  return {};
}

function causeOf(error: Error): { cause?: string } {
  return error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {};
}
