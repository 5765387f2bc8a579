/** What one tool hands over to another, since tools do not know each other: kept in the tab, taken once. */
import type { ToolId } from '@lms-admin/contract/tools';
import { z } from 'zod';
import { onClearSelections } from '../api/clearing.ts';

const PREFIX = 'lms-admin:hand-over:';
const TO: readonly ToolId[] = ['create-users'];
const list = z.array(z.string().max(300)).max(100_000);

/** Leaves e-mail addresses for a tool; it finds them when its screen opens. */
export function handOver(to: ToolId, emails: readonly string[]): void {
  try {
    sessionStorage.setItem(PREFIX + to, JSON.stringify(emails));
  } catch {
    // Without storage the tool opens with an empty form.
  }
}

/** What was left for the tool, once; null when there is nothing. */
export function takeHandedOver(to: ToolId): string[] | null {
  try {
    const text = sessionStorage.getItem(PREFIX + to);
    sessionStorage.removeItem(PREFIX + to);
    const parsed = list.safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

// Whoever begins anew with a press on a tab, or is another person, finds nothing left over.
onClearSelections(() => {
  for (const to of TO) takeHandedOver(to);
});
