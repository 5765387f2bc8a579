/** Owners of the integration ids of a table, after the rows so far: a row without one removes the previous one. */
import type { Cells } from '@lms-admin/domain/sis-effect';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';

interface Holder {
  sisId: string | null;
  name: string;
}

export class IntegrationIds {
  readonly #column: string;
  readonly #holders = new Map<string, Holder>();
  /** Integration ids by the SIS ID of their owner. */
  readonly #held = new Map<string, string>();

  /** @param column column of the SIS ID */
  constructor(column: string) {
    this.#column = column;
  }

  /** Adds an item of the LMS. */
  note(integrationId: string, holder: Holder): void {
    this.#holders.set(integrationId, holder);
    if (holder.sisId !== null) this.#held.set(holder.sisId, integrationId);
  }

  /** Returns why a row cannot have its integration id. */
  problems(cell: Cells): SisProblem[] {
    const given = cell('integration_id') ?? '';
    const holder = this.#holders.get(given);
    if (holder === undefined || holder.sisId === cell(this.#column)) return [];
    const { sisId, name } = holder;
    const owner = sisId === null ? name : `${name} (${shown(sisId)})`;
    const message = `The integration_id ${shown(given)} belongs to ${owner}. Correct it, or leave the cell empty.`;
    return [{ column: 'integration_id', message }];
  }

  /** Updates the owners after a row that the LMS accepts. */
  follow(cell: Cells): void {
    // A row for one kind of enrolment sets only dates.
    if (cell('date_override_enrollment_type')) return;
    const [sisId, given] = [cell(this.#column) ?? '', cell('integration_id') ?? ''];
    const held = this.#held.get(sisId);
    if (held !== undefined && held !== given) {
      this.#holders.delete(held);
      this.#held.delete(sisId);
    }
    if (given !== '') this.note(given, { sisId, name: cell('long_name') ?? cell('name') ?? sisId });
  }
}
