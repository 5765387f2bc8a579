/** Readers of `/metrics`: this machine, named networks, and holders of the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import { addressesOf } from './networks.ts';

export interface MetricsReaders {
  /** Addresses and networks, besides this machine. */
  from: readonly string[];
  /** Null if no token is accepted. */
  token: string | null;
}

const BEARER = /^bearer +(\S+)$/i;

/** @returns a check that throws for everyone without permission: any token sent must be right, from any address */
export function metricsDoor({ from, token }: MetricsReaders) {
  const isNear = addressesOf(from);
  return ({ ip, headers: { authorization } }: Pick<FastifyRequest, 'ip' | 'headers'>): void => {
    if (authorization !== undefined) {
      const sent = BEARER.exec(authorization.trim())?.[1];
      if (token !== null && sent !== undefined && isSame(sent, token)) return;
      throw new AppError('signed-out', {
        message: 'This token does not give access to the metrics.',
        next:
          token === null
            ? 'LMS Admin accepts no token, because METRICS_TOKEN is not set. Set it and restart, or send no token.'
            : 'Send "Authorization: Bearer" with the value of METRICS_TOKEN.',
      });
    }
    if (isNear(ip)) return;
    throw new AppError('not-allowed', {
      message: 'The metrics cannot be read from this address.',
      next: 'Ask IT Support to add it to METRICS_FROM, or send the token of METRICS_TOKEN.',
    });
  };
}

const isSame = (one: string, other: string) => timingSafeEqual(hash(one), hash(other));
const hash = (text: string) => createHash('sha256').update(text).digest();
