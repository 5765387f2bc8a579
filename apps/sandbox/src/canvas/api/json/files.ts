import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { baseUrl } from '../../../http/urls.ts';
import { currentCaller } from '../../http/auth.ts';
import type { FileObject, Progress } from '../../store/model.ts';
import type { World } from '../../store/world.ts';

const LINK_LIFE_SECONDS = 60 * 60;

/** Returns the File object (§7.2). Its `url` works for one hour, without a token. */
export function fileJson(request: FastifyRequest, file: FileObject): Record<string, unknown> {
  const { world } = currentCaller(request);
  const expires = Math.floor(world.clock() / 1000) + LINK_LIFE_SECONDS;
  const verifier = `${expires}.${sign(world, file, expires)}`;
  return {
    id: file.id,
    uuid: file.uuid,
    folder_id: file.folder_id,
    display_name: file.display_name,
    filename: file.filename,
    upload_status: 'success',
    'content-type': file.content_type,
    url: `${baseUrl(request)}/files/${file.id}/download?download_frd=1&verifier=${verifier}`,
    size: file.size,
    created_at: file.created_at,
    updated_at: file.updated_at,
    unlock_at: null,
    locked: false,
    hidden: false,
    lock_at: null,
    hidden_for_user: false,
    thumbnail_url: null,
    modified_at: file.updated_at,
    mime_class: file.content_type === 'application/zip' ? 'zip' : 'file',
    media_entry_id: null,
    category: 'uncategorized',
    locked_for_user: false,
  };
}

/** Returns whether a verifier belongs to the file and is at most an hour old. */
export function verifierHolds(world: World, file: FileObject, verifier: string): boolean {
  const [expires = '', given = ''] = verifier.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) < Math.floor(world.clock() / 1000)) return false;
  const expected = Buffer.from(sign(world, file, Number(expires)));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function sign(world: World, file: FileObject, expires: number): string {
  return createHmac('sha256', world.identity.secret)
    .update(`${file.id}:${file.uuid}:${expires}`)
    .digest('base64url');
}

/** Returns the Progress object (§6.12). */
export function progressJson(request: FastifyRequest, progress: Progress): Record<string, unknown> {
  return {
    id: progress.id,
    context_id: progress.context_id,
    context_type: progress.context_type,
    user_id: progress.user_id,
    tag: progress.tag,
    completion: progress.completion,
    workflow_state: progress.workflow_state,
    created_at: progress.created_at,
    updated_at: progress.updated_at,
    message: progress.message,
    url: `${baseUrl(request)}/api/v1/progress/${progress.id}`,
    ...(progress.results === null ? {} : { results: progress.results }),
  };
}
