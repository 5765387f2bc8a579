/** The LMS after the rows that change ids: requests and answers use the new ids. */
import { z } from 'zod';
import { integrationSegment, sisSegment } from '../../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasRequest } from '../../canvas/types.ts';
import { type Asking } from './ask.ts';
import type { ChangedIds } from './changed-ids.ts';

/** Fields of answers, with the kind of their ids. */
const SIS_FIELDS: Readonly<Record<string, string>> = {
  sis_section_id: 'section',
  sis_user_id: 'user',
  sis_course_id: 'course',
  sis_term_id: 'term',
  sis_account_id: 'account',
  sis_group_id: 'group',
  sis_group_category_id: 'group_category',
};
const FOLDERS: Readonly<Record<string, string>> = {
  users: 'user',
  courses: 'course',
  sections: 'section',
  terms: 'term',
  accounts: 'account',
};

/** Wraps requests so that they use the changed ids. */
export function renamedLms(asking: Asking, ids: ChangedIds): Asking {
  const { services } = asking;
  const { canvas } = services;
  const client: Pick<CanvasClient, 'call' | 'pages'> = {
    async call(request) {
      return canvas.call(renamed(request, ids));
    },
    async *pages(request) {
      yield* canvas.pages(renamed(request, ids));
    },
  };
  const renaming = { ...canvas, ...client };
  return { ...asking, canvas: renaming, services: { ...services, canvas: renaming } };
}

/** @throws CanvasError not-found if the id is not in use after the changes */
function renamed<T>(request: CanvasRequest<T>, ids: ChangedIds): CanvasRequest<T> {
  const path = request.path
    .split('/')
    .map((segment, at, all) => segmentBefore(segment, all[at - 1] ?? '', ids))
    .join('/');
  return { ...request, path, answer: z.preprocess((answer) => answerAfter(answer, ids), request.answer) };
}

function segmentBefore(segment: string, folder: string, ids: ChangedIds): string {
  const [, name, encoded] = /^(sis_[a-z_]+_id):(.*)$/.exec(segment) ?? [];
  if (name === undefined || encoded === undefined) return segment;
  const by = name === 'sis_integration_id' ? 'integration' : 'sis';
  const kind = by === 'integration' ? FOLDERS[folder] : SIS_FIELDS[name];
  if (kind === undefined) return segment;
  const before = ids.before(kind, by, decodeURIComponent(encoded));
  if (before === null)
    throw new CanvasError('not-found', { sent: 'no', detail: 'after the earlier rows, no item has this id' });
  return before.by === 'sis' ? sisSegment(kind, before.id) : integrationSegment(before.id);
}

function answerAfter(answer: unknown, ids: ChangedIds): unknown {
  if (Array.isArray(answer)) return answer.map((one) => answerAfter(one, ids));
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields: Record<string, unknown> = { ...answer };
  // A section also contains its course's id: the first of these fields shows the kind of item.
  const own = Object.keys(SIS_FIELDS).find((name) => name in fields);
  if (own !== undefined && 'integration_id' in fields) {
    const [sis, integration] = [fields[own], fields['integration_id']];
    fields['integration_id'] = ids.integration(
      SIS_FIELDS[own] ?? '',
      typeof sis === 'string' ? sis : null,
      typeof integration === 'string' ? integration : null,
    );
  }
  for (const [name, value] of Object.entries(fields)) {
    const kind = SIS_FIELDS[name];
    if (kind !== undefined && typeof value === 'string') fields[name] = ids.sis(kind, value);
    else if (name === 'sis_user_ids' && typeof value === 'string')
      fields[name] = value
        .split(',')
        .map((one) => ids.sis('user', one))
        .join(',');
    else if (typeof value === 'object') fields[name] = answerAfter(value, ids);
  }
  return fields;
}
