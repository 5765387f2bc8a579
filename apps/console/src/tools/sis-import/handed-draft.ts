/** A draft that the entry of its import in Activity passes to the wizard. */
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import type { ContinuedDraft } from './sis-state.ts';

export function handedDraft({ id, name, kind, import: of }: ContinuedDraft): string[] {
  return [id, name, kind ?? '', of ?? ''];
}

export function draftOf([id = '', name = '', kind, of]: readonly string[]): ContinuedDraft {
  return { id, name, kind: SIS_KINDS.find((one) => one === kind) ?? null, import: of || null };
}
