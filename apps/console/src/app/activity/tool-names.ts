/** What the tools are called here. */
import { TOOLS, type ToolId } from '@lms-admin/contract/tools';
import { toolName } from '../../components/Job/job-words.ts';
import { texts } from '../texts.ts';

/** The tab of a tool, or a name of ours for one without a tab; the id of one that this version does not know. */
export function nameOfTool(id: string): string {
  return toolName(id, { 'award-import': texts.awardImport, system: texts.system });
}

/** The tool of an id that a record names; null for one that this version does not know. */
export function knownTool(id: string) {
  return TOOLS.find((tool) => tool.id === (id as ToolId)) ?? null;
}
