/** Progress, and the files behind attachment links (reference §6.12, §7.2). */

import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Spool } from '../../files/spool.ts';
import { type Params, paramsOf, text } from '../../http/params.ts';
import { openStored } from '../files/stored.ts';
import { currentCaller, currentUser, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { FileObject } from '../store/model.ts';
import { fileJson, progressJson, verifierHolds } from './json/files.ts';
import { pathParam } from './lists.ts';

export function progressRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/progress/:id', (request) => {
      currentUser(request);
      const progress = world.progresses.get(Number(pathParam(request, 'id')));
      if (!progress) throw notFound();
      return progressJson(request, progress);
    });

    app.get('/files/:id', (request) => {
      const file = world.files.get(Number(pathParam(request, 'id')));
      if (!file) throw notFound();
      const { user } = currentCaller(request);
      if (file.user_id !== user.id && !hasRight(request, world.rootAccount, 'manage_sis')) throw forbidden();
      return fileJson(request, file);
    });
  };
}

/** `/files/:id/download`: outside of `/api/v1`, needs no token but a verifier that is younger than an hour. */
export function downloadRoutes({ world, spool }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/files/:id/download', async (request, reply) => {
      const file = world.files.get(Number(pathParam(request, 'id')));
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
