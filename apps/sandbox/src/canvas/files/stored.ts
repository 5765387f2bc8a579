/** Files that people can download (§7.2), and where their bytes are stored. */

import { randomUUID } from 'node:crypto';
import type { Spool } from '../../files/spool.ts';
import type { FileContent, FileObject } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { membersOf } from './archive.ts';

const CONTENT_TYPES: Record<string, string> = { csv: 'text/csv', zip: 'application/zip', xml: 'text/xml' };

/** Returns the part of a file name after its last dot, lower-cased. */
export function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Stores a file for `csv_attachments`, `errors_attachment` and the download (§7.2). */
export function storeFile(
  world: World,
  name: string,
  size: number,
  content: FileContent,
  userId: number | null,
): FileObject {
  const base = name.split(/[\\/]/).at(-1) ?? name;
  return world.files.add({
    uuid: randomUUID().replaceAll('-', ''),
    folder_id: null,
    display_name: base,
    filename: base,
    content_type: CONTENT_TYPES[extensionOf(base)] ?? 'application/octet-stream',
    size,
    content,
    user_id: userId,
  });
}

/** Returns the stored contents that can still be requested. */
export function contentsInUse(world: World): Set<string> {
  const uploads = [...world.sisBatches.values()].flatMap(({ upload }) => upload?.key ?? []);
  return new Set([...uploads, ...[...world.files.values()].map(({ content }) => content.key)]);
}

/** Opens the bytes of a file, or returns null if they were deleted. */
export async function openStored(
  spool: Spool,
  { content }: FileObject,
): Promise<AsyncIterable<Buffer> | null> {
  const kept = await spool.find(content.key);
  if (!kept || content.member === null) return kept?.open() ?? null;
  const member = (await membersOf(kept)).find(({ path }) => path === content.member);
  return (await member?.open()) ?? null;
}
