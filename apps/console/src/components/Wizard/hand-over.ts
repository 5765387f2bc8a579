/**
 * Passes data from one tool to another, since tools do not import each other: stored next to the other tool's state,
 * and read once. Clearing a tool also clears this data.
 */
import type { ToolId } from '@lms-admin/contract/tools';
import { z } from 'zod';
import { readStored, writeStored } from '../../api/stored-state.ts';

const shape = { handedOver: z.array(z.string().max(300)).max(100_000).nullable() };
const NOTHING: { handedOver: string[] | null } = { handedOver: null };

/** Stores texts, such as email addresses, for a tool to read when its screen opens. */
export function handOver(to: ToolId, texts: readonly string[]): void {
  writeStored(to, { handedOver: texts }, null);
}

/** Takes the texts left for the tool, once; null if none. */
export function takeHandedOver(to: ToolId): string[] | null {
  const { handedOver } = readStored(to, shape, NOTHING);
  if (handedOver !== null) writeStored(to, NOTHING, null);
  return handedOver;
}
