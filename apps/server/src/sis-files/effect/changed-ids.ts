/** SIS and integration ids that rows change: the previous ids, and the ids for rows of other tables. */

type Kind = string;

/** An item whose ids are changed by rows; null for none, or for an unknown one. */
interface Changed {
  readonly kind: Kind;
  readonly sisWas: string | null;
  readonly integrationWas: string | null;
  sisIs: string | null;
  integrationIs: string | null;
}

/** Ids of an item in a row: the current and the new ones. */
export interface IdChange {
  kind: Kind;
  sis: string | null;
  integration: string | null;
  newSis: string | null;
  /** `<delete>` removes the integration id. */
  newIntegration: string | null;
}

const DELETES = '<delete>';

export class ChangedIds {
  readonly #changes: Changed[] = [];

  get some(): boolean {
    return this.#changes.length > 0;
  }

  /** Records a row that the LMS applies; later rows may change the item again. @param known its other id in the LMS */
  take({ kind, sis, integration, newSis, newIntegration }: IdChange, known: Partial<Changed> = {}): void {
    let change = this.#changes.find(
      (one) =>
        one.kind === kind &&
        ((sis !== null && one.sisIs === sis) || (integration !== null && one.integrationIs === integration)),
    );
    if (!change) {
      const [sisWas, integrationWas] = [
        sis ?? known.sisWas ?? null,
        integration ?? known.integrationWas ?? null,
      ];
      change = { kind, sisWas, integrationWas, sisIs: sisWas, integrationIs: integrationWas };
      this.#changes.push(change);
    }
    if (newSis !== null) change.sisIs = newSis;
    if (newIntegration !== null) change.integrationIs = newIntegration === DELETES ? null : newIntegration;
  }

  /** Returns the LMS's current id for an id in later rows; null if it has become invalid. */
  before(
    kind: Kind,
    by: 'sis' | 'integration',
    id: string,
  ): { by: 'sis' | 'integration'; id: string } | null {
    const changes = this.#changes.filter((one) => one.kind === kind);
    const is = changes.find((one) => (by === 'sis' ? one.sisIs : one.integrationIs) === id);
    if (is?.sisWas != null) return { by: 'sis', id: is.sisWas };
    if (is?.integrationWas != null) return { by: 'integration', id: is.integrationWas };
    const was = changes.some((one) => (by === 'sis' ? one.sisWas : one.integrationWas) === id);
    return was ? null : { by, id };
  }

  /** Returns the id in later rows for an item that the LMS knows by this SIS ID. */
  sis(kind: Kind, id: string): string {
    return this.#changes.find((one) => one.kind === kind && one.sisWas === id)?.sisIs ?? id;
  }

  /** Returns the item's integration id in later rows. */
  integration(kind: Kind, sis: string | null, id: string | null): string | null {
    const change = this.#changes.find(
      (one) => one.kind === kind && (sis === null ? one.integrationWas === id : one.sisWas === sis),
    );
    return change === undefined || change.integrationIs === change.integrationWas ? id : change.integrationIs;
  }
}
