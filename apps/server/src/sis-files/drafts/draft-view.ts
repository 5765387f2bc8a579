/** A draft as sent to the browser. */
import type { OpenDraft, SisDraft } from '@lms-admin/contract/sis-drafts';
import { readingWarnings } from '../warnings.ts';
import type { StoredDraft } from './store.ts';

const besideOf = ({ beside }: StoredDraft['summary']['draft']) => beside ?? { fails: 0, unknown: 0 };

/** Returns the draft without its rows. */
export function toSisDraft(stored: StoredDraft): SisDraft {
  const { id, name, version, steps, summary, sent, expiresAt } = stored;
  return {
    id,
    name,
    version,
    ...summary.draft,
    // Drafts of earlier versions lack these.
    corrected: summary.draft.corrected ?? 0,
    corrected_listed: summary.draft.corrected_listed ?? 0,
    beside: besideOf(summary.draft),
    warnings: summary.reading ? readingWarnings(summary.reading) : [],
    last: steps.at(-1)?.does ?? null,
    steps: steps.length,
    replaced: summary.replaced ?? [],
    submitted: sent?.nothing === false ? sent.import : null,
    expires_at: expiresAt.toISOString(),
  };
}

/** Creates an entry in the list of open drafts. */
export function toOpenDraft(stored: StoredDraft): OpenDraft {
  const { kind, rows, wrong, header } = stored.summary.draft;
  return {
    id: stored.id,
    name: stored.name,
    kind,
    rows,
    wrong,
    beside: besideOf(stored.summary.draft),
    steps: stored.steps.length,
    header_wrong: header.length > 0,
    import: stored.sent?.import ?? null,
    created_at: stored.createdAt.toISOString(),
    expires_at: stored.expiresAt.toISOString(),
  };
}
