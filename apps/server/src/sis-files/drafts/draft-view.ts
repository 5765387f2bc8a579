/** A draft as it travels. */
import type { OpenDraft, SisDraft } from '@lms-admin/contract/sis-drafts';
import type { StoredDraft } from './store.ts';

/** The whole draft but its rows. */
export function toSisDraft({ id, name, version, steps, summary, expiresAt }: StoredDraft): SisDraft {
  return {
    id,
    name,
    version,
    ...summary.draft,
    last: steps.at(-1)?.does ?? null,
    steps: steps.length,
    expires_at: expiresAt.toISOString(),
  };
}

/** The draft in the list of those that are still open. */
export function toOpenDraft(stored: StoredDraft): OpenDraft {
  const { kind, rows, wrong, header } = stored.summary.draft;
  return {
    id: stored.id,
    name: stored.name,
    kind,
    rows,
    wrong,
    steps: stored.steps.length,
    header_wrong: header.length > 0,
    created_at: stored.createdAt.toISOString(),
    expires_at: stored.expiresAt.toISOString(),
  };
}
