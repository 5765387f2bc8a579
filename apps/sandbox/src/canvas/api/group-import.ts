/** `POST /group_categories/:id/import`: a CSV of people and groups (reference §15.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kept } from '../../files/spool.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { liveLogin } from '../http/lookup.ts';
import { type Cells, cellReader } from '../sis/csv/files.ts';
import { InvalidUtf8, MalformedCsv, readRows, scan } from '../sis/csv/reader.ts';
import { messages } from '../sis/messages.ts';
import { receive, takeAnyBody } from '../sis/upload.ts';
import { addMember } from '../store/group-rules.ts';
import type { Group, GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { type Done, inBackground } from './background.ts';
import { categoryOf } from './group-categories.ts';
import { addGroup, placeOf, studentsOf } from './group-places.ts';
import { progressJson } from './json/files.ts';

const COLUMNS = [
  'canvas_user_id',
  'user_id',
  'login_id',
  'canvas_group_id',
  'group_id',
  'group_name',
] as const;
type ImportCells = Cells<(typeof COLUMNS)[number]>;

export function groupImportRoutes({ world, spool }: SandboxContext): FastifyPluginAsync {
  const start = async (request: FastifyRequest) => {
    const category = categoryOf(request);
    requireRight(request, placeOf(world, category), 'manage_groups');
    const { kept } = (await receive(request, spool)).upload;
    const about = { context_id: category.id, context_type: 'GroupCategory', user_id: null } as const;
    const progress = inBackground(world, { ...about, tag: 'course_group_import' }, async () => {
      try {
        return await importGroups(world, category, kept);
      } finally {
        await spool.drop(kept.key);
      }
    });
    return progressJson(request, progress);
  };

  return async (app) => {
    await takeAnyBody(app);
    app.post('/group_categories/:group_category_id/import', { bodyLimit: Number.MAX_SAFE_INTEGER }, start);
  };
}

async function importGroups(world: World, category: GroupCategory, { open }: Kept): Promise<Done> {
  const rows: ImportCells[] = [];
  try {
    let read: ReturnType<typeof cellReader<(typeof COLUMNS)[number]>> | null = null;
    for await (const group of readRows(open, await scan(open, async () => {})))
      for (const raw of group) {
        if (read) rows.push(read(raw));
        else
          read = cellReader(
            COLUMNS,
            raw.cells.map((cell) => cell.toLowerCase()),
          );
      }
  } catch (error) {
    if (error instanceof InvalidUtf8) return messages.file.invalidUtf8;
    if (error instanceof MalformedCsv) return messages.file.malformed;
    throw error;
  }
  const seen = new Set<number>();
  for (const row of rows) {
    const group = groupOf(world, category, row);
    const userId = group && studentOf(world, category, row);
    // Only the first group of each person counts.
    if (!group || userId === undefined || seen.has(userId)) continue;
    seen.add(userId);
    addMember(world, group, userId);
  }
  return { results: null };
}

/**
 * Finds the group by number, SIS ID or name; creates a group for an unknown name, and restores a deleted
 * group.
 */
function groupOf(world: World, category: GroupCategory, row: ImportCells): Group | undefined {
  const all = world.groups.by.category.get(category.id);
  const named = all.find(({ id }) => String(id) === row.canvas_group_id);
  const found = named ?? all.find(({ sis_source_id: sis }) => row.group_id !== null && sis === row.group_id);
  if (found?.workflow_state === 'deleted') world.groups.change(found, { workflow_state: 'available' });
  if (found || row.group_name === null) return found;
  const { group_name: name } = row;
  return (
    all.find((group) => group.name === name && group.workflow_state === 'available') ??
    addGroup(world, category, { name })
  );
}

/** Finds a student of the course, by number, SIS ID or login. */
function studentOf(world: World, category: GroupCategory, row: ImportCells): number | undefined {
  const place = placeOf(world, category);
  if (!('course_code' in place)) return undefined;
  const students = studentsOf(world, place);
  const login = row.login_id === null ? undefined : liveLogin(world, row.login_id);
  const ids = [Number(row.canvas_user_id), world.pseudonyms.by.sis.get(row.user_id)?.user_id, login?.user_id];
  return ids.find((id) => id !== undefined && students.has(id));
}
