/** Names of pages (reference timetable.md §1): the extension decides the format, and a long name hides the query. */

export const FORMS = ['json', 'ics', 'csv', 'txt', 'html'] as const;
export type Form = (typeof FORMS)[number];

/** What a name contains: a format, and the query hidden in it. */
export type PageName = { form: Form; hidden: string };

const NAME = /^ri([0-9A-Za-z]*)\.([a-z]+)$/;

/** Parses the name of a page, or returns null for any other name. */
export function readPageName(name: string): PageName | null {
  const [, code = '', ending] = NAME.exec(name) ?? [];
  const form = FORMS.find((known) => known === ending);
  const hidden = queryIn(code);
  return form === undefined || hidden === null ? null : { form, hidden };
}

/** Returns the name that requests a page without a query. */
export function pageName(form: Form, query: string): string {
  return `ri${Buffer.from(query).toString('hex')}.${form}`;
}

function queryIn(code: string): string | null {
  const query = Buffer.from(code, 'hex').toString();
  return Buffer.from(query).toString('hex') === code ? query : null;
}
