/** Reports that join the votes of the survey with the current list on request (BTA-48, OP-85 to OP-87). */
import { createHash } from 'node:crypto';
import { type AwardReportAnswer, toAwardRow } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { AWARD_CAMPUSES, type AwardCampus, campusesOf, typesFor } from '@lms-admin/domain/award-campuses';
import { type JoinedVotes, joinVotes } from '@lms-admin/domain/award-join';
import {
  type AwardReport,
  awardReport,
  leadingRows,
  type ReportChoice,
  reportCells,
} from '@lms-admin/domain/award-reports';
import { AppError } from '../platform/errors.ts';
import type { QualtricsClient } from '../qualtrics/client.ts';
import type { Lists } from './list-store.ts';
import { toListEntry } from './rows.ts';
import type { Surveys } from './surveys.ts';

export interface Reports {
  /** @throws AppError not-found for an unknown campus, bad-request for a type that the campus does not have */
  report(choice: ReportChoice): Promise<AwardReport>;
  /** Returns the report in the format of the API. @throws like `report` */
  answer(choice: ReportChoice): Promise<AwardReportAnswer>;
  /** Returns the campuses with something to report; empty while there is no list (BTA-44). */
  campuses(): Promise<readonly AwardCampus[]>;
}

interface Joined {
  joined: JoinedVotes;
  /** Number of the list; 0 for none. */
  version: number;
  readAt: string | null;
  listAt: string | null;
}

export interface ReportParts {
  lists: Lists;
  surveys: Surveys;
  qualtrics: Pick<QualtricsClient, 'survey'>;
}

export function createReports({ lists, surveys, qualtrics }: ReportParts): Reports {
  /** The latest result. Its sources are checked each time, since another server may have changed them. */
  let latest: Joined | null = null;

  async function joinedNow(): Promise<Joined> {
    const { survey } = qualtrics;
    const [[info], at] = await Promise.all([lists.infos(), survey === null ? null : surveys.readAt(survey)]);
    const same =
      latest?.version === (info?.version ?? 0) &&
      latest.listAt === (info?.updatedAt.toISOString() ?? null) &&
      latest.readAt === (at?.toISOString() ?? null);
    if (latest !== null && same) return latest;
    const [list, found] = await Promise.all([lists.inForce(), survey === null ? null : surveys.read(survey)]);
    latest = {
      joined: joinVotes(list?.entries ?? [], found?.counted?.tallies ?? []),
      version: list?.version ?? 0,
      readAt: found?.readAt?.toISOString() ?? null,
      listAt: list?.updatedAt.toISOString() ?? null,
    };
    return latest;
  }

  return {
    async report(choice) {
      requireChoice(choice);
      return reportOf(await joinedNow(), choice);
    },
    async answer(choice) {
      requireChoice(choice);
      const now = await joinedNow();
      return toAnswer(choice, now, reportOf(now, choice));
    },
    async campuses() {
      const list = await lists.inForce();
      const there = new Set(list?.entries.map(({ campus }) => campus));
      return AWARD_CAMPUSES.filter((code) =>
        campusesOf(code, 'by-campus')?.some((campus) => there.has(campus)),
      );
    },
  };
}

function reportOf({ joined }: Joined, choice: ReportChoice): AwardReport {
  const report = awardReport(joined, choice);
  if (report === null) throw unknownCampus(choice);
  return report;
}

function toAnswer(
  choice: ReportChoice,
  { readAt, listAt }: Joined,
  { rows, unmatched }: AwardReport,
): AwardReportAnswer {
  const leading = leadingRows(rows);
  return {
    rows: rows.map((row) => toAwardRow(choice.type, row)),
    leading: { rows: leading.rows.length, as_many: leading.asMany },
    unmatched: unmatched.map(({ campus, course, professor, votes, known, reason, nearest }) => ({
      campus,
      course,
      professor,
      votes,
      studentvotes: known,
      reason,
      nearest: nearest.map(toListEntry),
    })),
    createdAt: readAt,
    list_updated_at: listAt,
    digest: digestOf(choice, rows),
  };
}

/** Returns a digest that changes whenever a figure or name in the rows does. */
export function digestOf({ view }: Pick<ReportChoice, 'view'>, rows: AwardReport['rows']): string {
  const cells = rows.map((row) => reportCells(view, row));
  return createHash('sha256').update(JSON.stringify(cells)).digest('base64url');
}

/** Checks that the report exists. @throws AppError */
export function requireChoice(choice: ReportChoice): void {
  const { view, campus, type } = choice;
  if (campusesOf(campus, view) === null) throw unknownCampus(choice);
  if (typesFor(view, campus).includes(type)) return;
  throw new AppError('bad-request', {
    message: `There is no report of ${awardReportMessages.types[type].toLowerCase()} courses for this campus.`,
    next: 'Choose the other course type, or another campus.',
  });
}

function unknownCampus({ campus }: ReportChoice): AppError {
  return new AppError('not-found', {
    message: awardReportMessages.campusTitle(campus.slice(0, 20)),
    next: `Choose one of ${AWARD_CAMPUSES.join(', ')}.`,
  });
}
