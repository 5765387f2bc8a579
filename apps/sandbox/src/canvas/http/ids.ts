/**
 * IDs in paths and parameters (reference §1): digits, `sis_<kind>_id:<value>`, the deprecated `hex:` form, and the
 * words `self`, `default`, `current`. Also writes IDs as strings in answers.
 */

/** Forms of an ID. `word` is one of the words that the kind itself allows, in `value`. */
export type IdForm = 'id' | 'sis' | 'integration' | 'login' | 'uuid' | 'lti' | 'word';

export type ParsedId = { form: IdForm; value: string };

export type AddressedKind = 'account' | 'course' | 'section' | 'user' | 'term' | 'group' | 'group_category';

const FORMS: Record<AddressedKind, { prefixes: Record<string, IdForm>; words: readonly string[] }> = {
  account: {
    prefixes: {
      sis_account_id: 'sis',
      sis_integration_id: 'integration',
      lti_context_id: 'lti',
      uuid: 'uuid',
    },
    words: ['self', 'default', 'site_admin'],
  },
  course: {
    prefixes: {
      sis_course_id: 'sis',
      sis_integration_id: 'integration',
      lti_context_id: 'lti',
      uuid: 'uuid',
    },
    words: [],
  },
  section: { prefixes: { sis_section_id: 'sis', sis_integration_id: 'integration' }, words: [] },
  user: {
    prefixes: {
      sis_user_id: 'sis',
      sis_login_id: 'login',
      sis_integration_id: 'integration',
      lti_user_id: 'lti',
      uuid: 'uuid',
    },
    words: ['self'],
  },
  term: {
    prefixes: { sis_term_id: 'sis', sis_integration_id: 'integration' },
    words: ['default', 'current'],
  },
  group: { prefixes: { sis_group_id: 'sis' }, words: [] },
  group_category: { prefixes: { sis_group_category_id: 'sis' }, words: [] },
};

const DIGITS = /^\d{1,19}$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Returns whether a text is one of Canvas's own IDs. */
export function isDigits(text: string): boolean {
  return DIGITS.test(text);
}

/** Parses an ID in any form that the kind allows. A result of null counts as not found. */
export function parseId(kind: AddressedKind, raw: string): ParsedId | null {
  const given = raw.trim();
  if (isDigits(given)) return { form: 'id', value: given };
  const { prefixes, words } = FORMS[kind];
  if (words.includes(given)) return { form: 'word', value: given };
  const hex = given.startsWith('hex:');
  const rest = hex ? given.slice(4) : given;
  const colon = rest.indexOf(':');
  if (colon < 1) return null;
  const name = rest.slice(0, colon);
  const form = Object.hasOwn(prefixes, name) ? prefixes[name] : undefined;
  const value = rest.slice(colon + 1);
  if (form === undefined || value === '') return null;
  if (!hex) return { form, value };
  if (!HEX.test(value)) return null;
  return { form, value: Buffer.from(value, 'hex').toString('utf8') };
}

const ID_KEY = /(?:^|_)id$/;
const IDS_KEY = /(?:^|_)ids$/;

/** Returns the same value with every `id`, `*_id` and `*_ids` number as a string (§1). */
export function stringifyIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stringifyIds);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'number' && ID_KEY.test(key)) out[key] = String(entry);
    else if (Array.isArray(entry) && IDS_KEY.test(key)) {
      out[key] = entry.map((item: unknown) => (typeof item === 'number' ? String(item) : item));
    } else out[key] = stringifyIds(entry);
  }
  return out;
}
