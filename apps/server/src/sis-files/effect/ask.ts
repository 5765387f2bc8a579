/** Requests of the comparison to the LMS: single requests for few items, whole lists for many. */
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import type { Reader } from '../../canvas/resources/reading.ts';
import type { CheckServices, PolicyContext } from '../policies/policy.ts';

/** Maximum number of items that are requested individually. */
export const FEW = 100;
/** Requests passed to the client together; the client decides how many are in flight. */
export const AT_ONCE = 32;

export const id = z.number().int().positive();
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

export interface Asking extends Reader {
  services: CheckServices;
  admin: Admin;
  signal: AbortSignal;
}

/** Creates requests with an admin's token. */
export function askingBy({ services, admin, signal }: PolicyContext): Asking {
  return { services, admin, signal, canvas: services.canvas, token: admin.token };
}
