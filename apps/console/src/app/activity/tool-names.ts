/** Names of the tools in Activity. */
import { TOOLS, type ToolId } from '@lms-admin/contract/tools';
import { toolName } from '../../components/Job/job-words.ts';
import { texts } from '../texts.ts';

/**
 * Returns the tab label of a tool, or another name if it has no tab; the ID of a tool that this version does not know.
 */
export function nameOfTool(id: string): string {
  return toolName(id, { 'award-import': texts.awardImport, system: texts.system });
}

/** Finds the tool with an ID from a record; null for one that this version does not know. */
export function knownTool(id: string) {
  return TOOLS.find((tool) => tool.id === (id as ToolId)) ?? null;
}
