/** SIS and integration ids that rows give to things: what each was before, and what it is for the rows of the other tables. */

type Kind = string;

/** A thing whose ids rows change; null for none, or one that is not known. */
interface Changed {
  readonly kind: Kind;
  readonly sisWas: string | null;
  readonly integrationWas: string | null;
  sisIs: string | null;
  integrationIs: string | null;
}

/** What a row names a thing by, and gives it. */
export interface IdChange {
  kind: Kind;
  sis: string | null;
  integration: string | null;
  newSis: string | null;
  /** `<delete>` for none from now on. */
  newIntegration: string | null;
}

const DELETES = '<delete>';

export class ChangedIds {
  readonly #things: Changed[] = [];

  get some(): boolean {
    return this.#things.length > 0;
  }

  /** Notes a row that the LMS carries out; a later row may change the same thing again. @param known its other id, as the LMS has it */
  take({ kind, sis, integration, newSis, newIntegration }: IdChange, known: Partial<Changed> = {}): void {
    let thing = this.#things.find(
      (one) =>
        one.kind === kind &&
        ((sis !== null && one.sisIs === sis) || (integration !== null && one.integrationIs === integration)),
    );
    if (!thing) {
      const [sisWas, integrationWas] = [
        sis ?? known.sisWas ?? null,
        integration ?? known.integrationWas ?? null,
      ];
      thing = { kind, sisWas, integrationWas, sisIs: sisWas, integrationIs: integrationWas };
      this.#things.push(thing);
    }
    if (newSis !== null) thing.sisIs = newSis;
    if (newIntegration !== null) thing.integrationIs = newIntegration === DELETES ? null : newIntegration;
  }

  /** How the LMS knows now what the rows call this; null where they call nothing so any more. */
  before(
    kind: Kind,
    by: 'sis' | 'integration',
    id: string,
  ): { by: 'sis' | 'integration'; id: string } | null {
    const those = this.#things.filter((one) => one.kind === kind);
    const is = those.find((one) => (by === 'sis' ? one.sisIs : one.integrationIs) === id);
    if (is?.sisWas != null) return { by: 'sis', id: is.sisWas };
    if (is?.integrationWas != null) return { by: 'integration', id: is.integrationWas };
    const was = those.some((one) => (by === 'sis' ? one.sisWas : one.integrationWas) === id);
    return was ? null : { by, id };
  }

  /** What rows call a thing that the LMS knows by this SIS ID. */
  sis(kind: Kind, id: string): string {
    return this.#things.find((one) => one.kind === kind && one.sisWas === id)?.sisIs ?? id;
  }

  /** Its integration id for the rows. */
  integration(kind: Kind, sis: string | null, id: string | null): string | null {
    const thing = this.#things.find(
      (one) => one.kind === kind && (sis === null ? one.integrationWas === id : one.sisWas === sis),
    );
    return thing === undefined || thing.integrationIs === thing.integrationWas ? id : thing.integrationIs;
  }
}
