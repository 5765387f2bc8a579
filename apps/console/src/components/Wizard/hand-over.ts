/**
 * What one tool hands over to another, since tools do not know each other: left beside what the other one has stored, and
 * taken once. Whatever clears a tool clears this too.
 */
import type { ToolId } from '@lms-admin/contract/tools';
import { z } from 'zod';
import { readStored, writeStored } from '../../api/stored-state.ts';

const shape = { handedOver: z.array(z.string().max(300)).max(100_000).nullable() };
const NOTHING: { handedOver: string[] | null } = { handedOver: null };

/** Leaves texts, such as email addresses, for a tool; it finds them when its screen opens. */
export function handOver(to: ToolId, texts: readonly string[]): void {
  writeStored(to, { handedOver: texts }, null);
}

/** What was left for the tool, once; null when there is nothing. */
export function takeHandedOver(to: ToolId): string[] | null {
  const { handedOver } = readStored(to, shape, NOTHING);
  if (handedOver !== null) writeStored(to, NOTHING, null);
  return handedOver;
}
