/** The record of an import: what it takes from the LMS, and how it travels to the console. */
import type { SisImport } from '@lms-admin/contract/imports';
import { isFinal } from '@lms-admin/domain/import-states';
import type { LmsConfig } from '../platform/config.ts';
import type { imports } from '../platform/schema.ts';
import type { LmsImport } from './lms-imports.ts';

export type ImportRow = typeof imports.$inferSelect;

/** The part of the record that follows the LMS. */
export function fromLms(got: LmsImport) {
  return {
    canvasId: got.id,
    workflowState: got.state,
    progress: got.progress,
    counts: got.counts,
    warnings: got.warnings.map(([file, message]): [string | null, string] => [file, message]),
    errors: got.errors.map(([file, message]): [string | null, string] => [file, message]),
    ...linksFromLms(got),
  };
}

/** The links of the record, and when they were read. */
export function linksFromLms(got: LmsImport) {
  return {
    errorsUrl: got.errorsUrl,
    csvUrls: got.csv.flatMap((one) => (one.url === null ? [] : [one.url])),
    linksAt: new Date(),
  };
}

/** Whether an address may be shown as a link: https of the LMS or its file hosts, or the configured LMS itself (OP-40). */
export function mayLink(url: string, lms: Pick<LmsConfig, 'url' | 'fileHosts'>): boolean {
  if (!URL.canParse(url)) return false;
  const address = new URL(url);
  const home = new URL(lms.url);
  if (address.username !== '' || address.password !== '') return false;
  if (address.origin === home.origin) return true;
  return (
    address.protocol === 'https:' &&
    (address.hostname === home.hostname || lms.fileHosts.includes(address.hostname))
  );
}

/** The record as the console sees it. */
export function toSisImport(row: ImportRow, lms: Pick<LmsConfig, 'url' | 'fileHosts'>): SisImport {
  const link = (url: string | null) => (url !== null && mayLink(url, lms) ? { url } : null);
  return {
    id: row.id,
    canvas_id: row.canvasId,
    workflow_state: row.workflowState,
    progress: row.progress,
    data: { counts: row.counts },
    processing_warnings: row.warnings,
    processing_errors: row.errors,
    errors_attachment: link(row.errorsUrl),
    csv_attachments: row.csvUrls.flatMap((url) => link(url) ?? []),
    tool: row.tool,
    label: row.label,
    rows: row.rows,
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    final: row.step === 'final',
    note: [row.note, row.sectionsNote].filter((text) => text !== null).join(' ') || null,
  };
}

/** An import that LMS Admin did not send, as the console sees it. */
export function foreignSisImport(got: LmsImport, lms: Pick<LmsConfig, 'url' | 'fileHosts'>): SisImport {
  const now = new Date();
  return toSisImport(
    {
      ...fromLms(got),
      id: String(got.id),
      login: '',
      grantId: null,
      tool: 'lms',
      label: `SIS import ${got.id}`,
      planId: null,
      key: null,
      files: null,
      zip: false,
      rows: 0,
      csvReady: false,
      step: isFinal(got.state) ? 'final' : 'following',
      note: null,
      sectionsNote: null,
      attempts: 0,
      sentAt: null,
      createdAt: now,
      updatedAt: now,
      endedAt: got.endedAt,
      leaseOwner: null,
      leaseUntil: null,
    },
    lms,
  );
}
