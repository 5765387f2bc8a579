/** Counts the votes of an export as its rows arrive: memory grows with the voters, not with the file. */
import {
  type Choice,
  EXPORT_HEADER_ROWS,
  type ResponseColumns,
  readResponse,
  responseColumns,
} from '@lms-admin/domain/award-responses';
import { type CountedVotes, VoteCounter } from '@lms-admin/domain/award-votes';
import { BadCsv, type CsvRow } from '@lms-admin/domain/csv-reader';
import { JobFailed } from '../jobs/kind.ts';
import { ownText } from '../platform/text.ts';

/**
 * Counts the votes.
 * @param opens start of the vote, in milliseconds since 1970; null if it has no start
 * @param onRows called after each batch with the number of responses read
 * @throws JobFailed for an export that cannot be read
 */
export async function countedVotes(
  batches: AsyncIterable<readonly CsvRow[]>,
  opens: number | null,
  onRows: (count: number) => void = () => {},
): Promise<CountedVotes> {
  const counter = new VoteCounter(opens);
  const choices = new Choices();
  const header: string[][] = [];
  let columns: ResponseColumns | null = null;
  let count = 0;
  try {
    for await (const batch of batches) {
      for (const { cells } of batch) {
        if (columns === null) {
          header.push(cells);
          if (header.length === EXPORT_HEADER_ROWS) columns = columnsOf(header);
          continue;
        }
        const response = readResponse(cells, columns);
        counter.add({
          ...response,
          // A cell is a slice of a longer text, which would stay in memory.
          id: ownText(response.id),
          reference: ownText(response.reference),
          email: ownText(response.email),
          core: choices.own(response.core),
          elective: choices.own(response.elective),
        });
        count++;
      }
      onRows(count);
    }
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    throw new JobFailed(`LMS Admin cannot read the export from Qualtrics: ${error.message}`, RETRY);
  }
  if (columns === null) columnsOf(header);
  return counter.result();
}

const RETRY = 'Try again. If it keeps happening, contact IT Support.';

function columnsOf(header: readonly (readonly string[])[]): ResponseColumns {
  const columns = responseColumns(header);
  if ('problem' in columns) throw new JobFailed(columns.problem, columns.next);
  return columns;
}

/** Stores each choice once, however many voters made it. */
class Choices {
  readonly #known = new Map<string, Choice>();

  own(choice: Choice | null): Choice | null {
    if (choice === null) return null;
    const { course, professor, campus, courseId, professorId } = choice;
    const key = `${course}\n${professor}\n${campus}\n${courseId}\n${professorId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const own: Choice = {
      course: ownText(course),
      professor: ownText(professor),
      campus: ownText(campus),
      courseId: ownText(courseId),
      professorId: ownText(professorId),
    };
    this.#known.set(ownText(key), own);
    return own;
  }
}
