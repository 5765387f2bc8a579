/** Canvas: a world with its seed, its sign-in, and its HTTP interface. */

import type { SandboxOptions } from '../config.ts';
import { Faults } from '../faults/faults.ts';
import { Spool } from '../files/spool.ts';
import { RequestLog } from '../http/request-log.ts';
import type { System } from '../http/systems.ts';
import type { Kept } from '../memory/kept.ts';
import { contentsInUse } from './files/stored.ts';
import { frontPagePart } from './front-page.ts';
import { tokenText } from './http/auth.ts';
import type { SandboxContext } from './http/context.ts';
import { answerError, failure, notFound } from './http/errors.ts';
import { refusal, throttleGate } from './http/gate.ts';
import { Throttle } from './http/throttle.ts';
import { developerKeys } from './oauth/keys.ts';
import { Sessions } from './oauth/sessions.ts';
import { TokenStore } from './oauth/tokens.ts';
import { canvasRoutes } from './routes.ts';
import { SERVICE_USER_ID } from './seed/people.ts';
import { seedWorld } from './seed/seed.ts';
import { IMPORT_FAULTS } from './sis/faults.ts';
import { keptWorld } from './store/kept-world.ts';
import { World } from './store/world.ts';

export type Canvas = {
  /** The data; a reset keeps the object. */
  world: World;
  /** State that survives restarts. */
  kept: Record<string, Kept>;
  /** Restores the seed of the world, and nothing else. */
  reseed: () => void;
  /**
   * Opens Canvas to requests, once its saved state is loaded.
   * @param files a folder for uploads that outlast the process; null: none
   */
  open: (files: string | null) => Promise<System>;
};

export function makeCanvas(options: SandboxOptions): Canvas {
  const world = new World();
  world.clock = () => options.now().getTime();
  const seed = (empty: World) => {
    if (options.campusUuid !== null) empty.identity.uuid = options.campusUuid;
    seedWorld(empty, options.size);
  };
  seed(world);
  const tokens = new TokenStore(developerKeys(options), options.now);
  tokens.addPermanent(options.adminToken, SERVICE_USER_ID, options.adminTokenExpires);
  const sessions = new Sessions();

  const open = async (files: string | null): Promise<System> => {
    const faults = new Faults(IMPORT_FAULTS);
    const throttle = options.throttle ? new Throttle(options.throttle) : null;
    const spool = new Spool(files);
    await spool.clear(contentsInUse(world));
    const takeImportFault = () => {
      const kind = faults.takeOwn();
      return kind && { kind };
    };
    const context: SandboxContext = { options, world, spool, takeImportFault };
    return {
      id: 'canvas',
      // Canvas needs a host of its own: its pages, files and calls use all paths.
      prefixes: ['/'],
      faults,
      log: new RequestLog(),
      routes: canvasRoutes(context, tokens, sessions),
      reset() {
        world.reset(seed);
        tokens.clear();
        tokens.addPermanent(options.adminToken, SERVICE_USER_ID, options.adminTokenExpires);
        throttle?.clear();
        sessions.clear();
        void spool.clear();
      },
      close: () => spool.close(),
      onFrontPage: () => frontPagePart(world),
      credentialOf: tokenText,
      revoke(credential) {
        const token = tokens.find(credential);
        if (token) tokens.revoke(token);
      },
      refuse: refusal(options.throttleStatus),
      gate: throttleGate(throttle, options.now),
      failure,
      answerError,
      refuseUnknown(request) {
        if (request.url.startsWith('/api/')) throw notFound();
      },
      saysWhatIsDone: (url) => /\/(?:sis_imports|reports|progress)\b/.test(url),
    };
  };

  return {
    world,
    kept: { ...keptWorld(world), ...tokens.kept(), ...sessions.kept() },
    reseed: () => world.reset(seed),
    open,
  };
}
