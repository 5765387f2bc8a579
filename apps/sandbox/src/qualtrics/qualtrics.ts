/** Qualtrics: the award's surveys, their responses, and the HTTP interface for both. */

import type { SandboxOptions } from '../config.ts';
import { Faults } from '../faults/faults.ts';
import { RequestLog } from '../http/request-log.ts';
import type { System } from '../http/systems.ts';
import type { Kept } from '../memory/kept.ts';
import { frontPagePart } from './front-page.ts';
import { credentialOf } from './http/calls.ts';
import { EXPORT_FAULTS, type QualtricsContext, type Switches } from './http/context.ts';
import { answerError, failure, unknownCall } from './http/errors.ts';
import { Limits } from './http/limits.ts';
import { apiTokens, qualtricsClients } from './oauth/clients.ts';
import { Credentials } from './oauth/credentials.ts';
import { API, qualtricsRoutes } from './routes.ts';
import { seedQualtrics } from './seed/seed.ts';
import { QualtricsStore } from './store/store.ts';

export type Qualtrics = {
  system: System;
  /** State that survives restarts. */
  kept: Record<string, Kept>;
  /** Restores the seed, and nothing else. */
  reseed: () => void;
};

const SWITCHES: Switches = { exportMs: 1500, lagMs: 0, language: 'EN', elsewhere: false };

export function makeQualtrics(options: SandboxOptions): Qualtrics {
  const store = new QualtricsStore();
  seedQualtrics(store);
  const now = () => options.now().getTime();
  const limits = new Limits(options.qualtricsLimits, now);
  const credentials = new Credentials(apiTokens(options), store, now);
  const faults = new Faults(EXPORT_FAULTS);
  const context: QualtricsContext = { store, limits, faults, now, switches: { ...SWITCHES } };
  const reseed = () => {
    store.clear();
    seedQualtrics(store);
  };
  const system: System = {
    id: 'qualtrics',
    prefixes: ['/qualtrics'],
    faults,
    log: new RequestLog(),
    routes: qualtricsRoutes(context, qualtricsClients(options), credentials),
    reset() {
      reseed();
      credentials.restore();
      limits.plan = options.qualtricsLimits;
      limits.clear();
      Object.assign(context.switches, SWITCHES);
    },
    onFrontPage: () => frontPagePart(store),
    credentialOf,
    revoke: (credential) => credentials.revoke(credential),
    refuse(reply) {
      const { status, headers, body } = limits.tooFast();
      return reply.code(status).headers(headers).send(body);
    },
    failure,
    answerError,
    refuseUnknown({ url }) {
      if (url.startsWith(API)) throw unknownCall();
    },
  };
  return { system, kept: store.kept(), reseed };
}
