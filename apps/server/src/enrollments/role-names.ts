/** Which roles the LMS may understand by a name in the `role` column (reference §9.5). */
import { role } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';

const roles = z.array(role);
/** Words that name the built-in roles, in any letter case. */
const WORDS: Readonly<Record<string, string>> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

/**
 * Reads the roles of the LMS.
 * @returns the ids that a name may stand for: custom names by their letters, the words in any letter case
 * @throws CanvasError
 */
export async function readRoleNames(
  canvas: CanvasClient,
  token: CanvasToken,
  signal: AbortSignal,
): Promise<(name: string) => readonly number[]> {
  const found = await canvas.list({
    token,
    method: 'GET',
    path: `accounts/${ROOT_ACCOUNT_ID}/roles`,
    query: [['per_page', String(LMS_PAGE_SIZE)]],
    answer: roles,
    signal,
  });
  return (name) => {
    const word = name.toLowerCase();
    const builtIn = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    return found.filter((one) => one.role === name || one.role === builtIn).map((one) => one.id);
  };
}
