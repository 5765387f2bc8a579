/** Administrators of accounts in the LMS. */
import { z } from 'zod';
import { listed, type Reader } from './reading.ts';

const admin = z.object({
  id: z.number(),
  role: z.string(),
  role_id: z.number().nullish(),
  user: z.object({
    id: z.number(),
    name: z.string(),
    login_id: z.string().nullish(),
  }),
  workflow_state: z.string().default('active'),
});
export type LmsAdmin = z.output<typeof admin>;

/** Returns the administrators of an account, but not of its parents. @throws CanvasError */
export async function adminsOf(reader: Reader, account: number): Promise<LmsAdmin[]> {
  const all = await listed(reader, `accounts/${account}/admins`, admin);
  return all.filter(({ workflow_state }) => workflow_state !== 'deleted');
}
