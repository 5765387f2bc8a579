/** Who may read `/metrics`: this machine, named networks, and those who have the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import { addressesOf } from './networks.ts';

export interface MetricsReaders {
  /** Addresses and networks, beside this machine. */
  from: readonly string[];
  /** Null: none is accepted. */
  token: string | null;
}

const BEARER = /^bearer +(\S+)$/i;

/** @returns lets those through who may read, and throws for everyone else: a token that is sent has to be right, from wherever it comes */
export function metricsDoor({ from, token }: MetricsReaders) {
  const isNear = addressesOf(from);
  return ({ ip, headers: { authorization } }: Pick<FastifyRequest, 'ip' | 'headers'>): void => {
    if (authorization !== undefined) {
      const sent = BEARER.exec(authorization.trim())?.[1];
      if (token !== null && sent !== undefined && isSame(sent, token)) return;
      throw new AppError('signed-out', {
        message: 'The figures are not open with this token.',
        next:
          token === null
            ? 'No token is accepted: set METRICS_TOKEN and restart, or leave the token out.'
            : 'Send "Authorization: Bearer" with the value of METRICS_TOKEN.',
      });
    }
    if (isNear(ip)) return;
    throw new AppError('not-allowed', {
      message: 'The figures are not open to this address.',
      next: 'Ask IT Support to add it to METRICS_FROM, or send the token of METRICS_TOKEN.',
    });
  };
}

const isSame = (one: string, other: string) => timingSafeEqual(hash(one), hash(other));
const hash = (text: string) => createHash('sha256').update(text).digest();
