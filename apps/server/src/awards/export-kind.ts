/** A job kind that writes a report as an Excel file (BTA-19). */

import { AWARD_EXPORT, awardExportRequest } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { reportCells } from '@lms-admin/domain/award-reports';
import { counted } from '@lms-admin/domain/numbers';
import type { ActFor } from '../access/acting.ts';
import type { Files } from '../files/files.ts';
import { workbook } from '../files/workbook.ts';
import { Cancelled, JobFailed } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { digestOf, type Reports, requireChoice } from './reports.ts';

const NOTHING = 'Cancelled: no file was created.';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const words = awardReportMessages;

export interface AwardExportParts {
  reports: Reports;
  files: Files;
  actFor: ActFor;
}

export function awardExportKind({ reports, files, actFor }: AwardExportParts): StartableKind {
  return {
    id: AWARD_EXPORT,
    atOnce: 2,
    atOnceEach: 1,
    keeps: 'export',
    listed: true,
    changes: false,
    begins: 'Writing the file',
    untouched: NOTHING,
    mayCancel: async () => true,
    start: {
      tool: 'award-reports',
      input: awardExportRequest,
      check(_admin, raw) {
        const choice = awardExportRequest.parse(raw);
        requireChoice(choice);
        return { label: `${words.title}: ${titleOf(choice)}` };
      },
    },
    async run(work) {
      const { digest, ...choice } = awardExportRequest.parse(await work.input());
      actFor(work.job);
      const signal = AbortSignal.any([work.signal, work.cancel]);
      try {
        const { rows, unmatched } = await reports.report(choice);
        if (digest !== undefined && digest !== digestOf(choice, rows)) throw changedSince();
        const title = titleOf(choice);
        const sheet = { name: title, columns: headsOf(choice.view) };
        const cells = rows.map((row) => reportCells(choice.view, row));
        await files.write(
          { jobId: work.job.id, login: work.job.login, name: `${title}.xlsx`, type: XLSX },
          content(() => workbook(sheet, [cells], signal)),
        );
        const votes = unmatched.reduce((sum, one) => sum + one.votes, 0);
        const note = `${counted(votes, 'vote')} that ${votes === 1 ? 'does' : 'do'} not match the list ${votes === 1 ? 'is' : 'are'} not in the file.`;
        return { outcome: 'done', figures: [['rows', rows.length]], note: votes > 0 ? note : null };
      } catch (error) {
        work.signal.throwIfAborted();
        if (work.cancel.aborted) throw new Cancelled(NOTHING);
        throw error;
      }
    },
  };
}

/** Fails the job, because people would not notice a file whose figures differ from the page. */
function changedSince(): JobFailed {
  return new JobFailed(
    'The figures have changed since this page was loaded, because the list was replaced or the survey was read again.',
    'The page now shows the new figures. Check them, then create the file again.',
    true,
  );
}

const titleOf = ({ view, campus, type }: ReturnType<typeof awardExportRequest.parse>) =>
  words.reportTitle(view, campus, type).trim();

/** Returns the column headings, matching `reportCells`. */
function headsOf(view: 'by-campus' | 'by-prof'): string[] {
  const { course, professor, campus, enrolled, votes, percent } = words.columns;
  return view === 'by-prof'
    ? [professor, course, campus, votes, percent]
    : [course, professor, campus, enrolled, votes, percent];
}

async function* content(make: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield await make();
}
