/** How the effect asks the LMS: single questions where few things are named, whole lists where many are. */
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import type { Reader } from '../../canvas/resources/reading.ts';
import type { CheckServices, PolicyContext } from '../policies/policy.ts';

/** Things up to which each is asked about by itself. */
export const FEW = 100;
/** Questions handed to the client at once; the client decides how many of them are in flight. */
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

/** Asks in the name of an admin. */
export function askingBy({ services, admin, signal }: PolicyContext): Asking {
  return { services, admin, signal, canvas: services.canvas, token: admin.token };
}
