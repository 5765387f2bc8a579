/** Progress, and the files behind attachment links (reference §6.12, §7.2). */

import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Spool } from '../../files/spool.ts';
import { type Params, paramsOf, text } from '../../http/params.ts';
import { openStored } from '../files/stored.ts';
import { currentCaller, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { FileObject, Progress } from '../store/model.ts';
import { mayRead } from './courses.ts';
import { placeOf } from './group-places.ts';
import { fileJson, progressJson, verifierHolds } from './json/files.ts';
import { pathNumber } from './lists.ts';

/** Returns whether the caller can read the object that the work is about. */
function mayReadContext(request: FastifyRequest, { context_type, context_id }: Progress): boolean {
  const { world } = currentCaller(request);
  if (context_type === 'GroupCategory') {
    const place = placeOf(world, world.groupCategories.must(context_id));
    return 'course_code' in place ? mayRead(request, place) : hasRight(request, place, 'read_roster');
  }
  if (context_type === 'Course') return mayRead(request, world.courses.must(context_id));
  const account = context_type === 'Account' ? world.accounts.must(context_id) : world.rootAccount;
  return hasRight(request, account, 'read_roster');
}

export function progressRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/progress/:id', (request) => {
      const progress = world.progresses.get(pathNumber(request, 'id'));
      if (!progress) throw notFound();
      if (!mayReadContext(request, progress)) throw forbidden();
      return progressJson(request, progress);
    });

    // Work can be cancelled only by the person who started it. It then counts as failed, whatever its state was.
    app.post('/progress/:id/cancel', (request) => {
      const progress = world.progresses.get(pathNumber(request, 'id'));
      if (!progress) throw notFound();
      if (progress.user_id !== currentCaller(request).user.id) throw forbidden();
      world.progresses.change(progress, {
        workflow_state: 'failed',
        message: text(paramsOf(request), 'message'),
      });
      return progressJson(request, progress);
    });

    app.get('/files/:id', (request) => {
      const file = world.files.get(pathNumber(request, 'id'));
      if (!file) throw notFound();
      const { user } = currentCaller(request);
      if (file.user_id !== user.id && !hasRight(request, world.rootAccount, 'manage_sis')) throw forbidden();
      return fileJson(request, file);
    });
  };
}

/**
 * Creates the route `/files/:id/download`, outside `/api/v1`. It needs no token, but a verifier that is at
 * most an hour old.
 */
export function downloadRoutes({ world, spool }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/files/:id/download', async (request, reply) => {
      const file = world.files.get(pathNumber(request, 'id'));
      if (!file) throw notFound();
      const verifier = text(paramsOf(request), 'verifier') ?? text(request.query as Params, 'verifier') ?? '';
      if (!verifierHolds(world, file, verifier)) throw forbidden();
      return sendStored(reply, spool, file);
    });
  };
}

/** Sends the bytes of a file under its own name. */
export async function sendStored(reply: FastifyReply, spool: Spool, file: FileObject): Promise<FastifyReply> {
  const bytes = await openStored(spool, file);
  if (!bytes) throw notFound();
  const name = encodeURIComponent(file.display_name);
  void reply
    .header('content-type', file.content_type)
    .header(
      'content-disposition',
      `attachment; filename="${asciiName(file.display_name)}"; filename*=UTF-8''${name}`,
    );
  return reply.send(Readable.from(bytes));
}

function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\]/g, '_');
}
