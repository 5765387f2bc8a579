/** Zoom: the school's accounts, their meetings, and the HTTP interface for both. */

import type { SandboxOptions } from '../config.ts';
import { Faults } from '../faults/faults.ts';
import { RequestLog } from '../http/request-log.ts';
import type { System } from '../http/systems.ts';
import type { Kept } from '../memory/kept.ts';
import { frontPagePart } from './front-page.ts';
import { tokenText } from './http/calls.ts';
import { CALL_FAULTS, type Switches, type ZoomContext } from './http/context.ts';
import { answerError, failure, unknownCall } from './http/errors.ts';
import { Limits } from './http/limits.ts';
import { zoomClients } from './oauth/clients.ts';
import { Tokens } from './oauth/tokens.ts';
import { zoomRoutes } from './routes.ts';
import { seedZoom } from './seed/seed.ts';
import { ZoomStore } from './store/store.ts';

export type Zoom = {
  system: System;
  /** State that survives restarts. */
  kept: Record<string, Kept>;
  /** Restores the seed, and nothing else. */
  reseed: () => void;
};

const SWITCHES: Switches = { listLagMs: 0, icsNeedsHost: false };

export function makeZoom(options: SandboxOptions): Zoom {
  const store = new ZoomStore();
  seedZoom(store);
  const now = () => options.now().getTime();
  const limits = new Limits(options.zoomLimits, store, now);
  const tokens = new Tokens(store, now);
  const context: ZoomContext = { store, limits, now, switches: { ...SWITCHES } };
  const faults = new Faults(CALL_FAULTS);
  const reseed = () => {
    store.clear();
    seedZoom(store);
  };
  const system: System = {
    id: 'zoom',
    prefixes: ['/zoom'],
    faults,
    log: new RequestLog(),
    routes: zoomRoutes(context, zoomClients(options), tokens, faults),
    reset() {
      reseed();
      limits.plan = options.zoomLimits;
      limits.clear();
      Object.assign(context.switches, SWITCHES);
    },
    onFrontPage: () => frontPagePart(store),
    credentialOf: tokenText,
    revoke: (token) => tokens.revoke(token),
    refuse(reply) {
      const { status, headers, body } = limits.tooFast('Light');
      return reply.code(status).headers(headers).send(body);
    },
    failure,
    answerError,
    refuseUnknown({ url }) {
      if (url.startsWith('/zoom/v2')) throw unknownCall();
    },
  };
  return { system, kept: store.kept(), reseed };
}
