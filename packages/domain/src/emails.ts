/**
 * E-mail addresses as they are typed and pasted into the people field (CE-09 to CE-11).
 * The pattern is the one of the HTML standard for e-mail inputs, with a dot required in the domain.
 */
const SIGN = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = `${LABEL}(?:\\.${LABEL})+`;
const EMAIL = new RegExp(`^${SIGN}+@${DOMAIN}$`, 'i');
const LOCAL_SIGN = new RegExp(SIGN, 'i');
const DOMAIN_HERE = new RegExp(DOMAIN, 'iy');

/** Longest address that RFC 5321 lets travel. */
const MAX_LENGTH = 254;

/** Whether the whole text is one e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text);
}

/** The form in which two addresses are compared: no blanks around, lower case. */
export function emailKey(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Every e-mail address found in pasted text, each once, in the order of first appearance and as it was written.
 * Understands a spreadsheet column, a comma list and mail-program lines such as `Last, First <a@b.c>; …`.
 */
export function extractEmails(text: string): string[] {
  const found = new Map<string, string>();
  let end = 0;
  // From each @ outwards: one pattern over the whole text would take quadratic time where it holds no address.
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > end && at - start <= MAX_LENGTH && LOCAL_SIGN.test(text.charAt(start - 1))) start--;
    DOMAIN_HERE.lastIndex = at + 1;
    const domain = DOMAIN_HERE.exec(text)?.[0];
    if (start === at || domain === undefined) continue;
    end = at + 1 + domain.length;
    // A quote or apostrophe that opens a quoted address is not part of it: 'a@b.c'
    const address = text.slice(start, end).replace(/^['`]+/, '');
    const key = emailKey(address);
    if (isEmail(address) && !found.has(key)) found.set(key, address);
  }
  return [...found.values()];
}

export type ChipProblem = { kind: 'invalid'; text: string } | { kind: 'duplicate'; text: string };

export interface ChipsResult {
  /** The list with the accepted addresses at its end. */
  chips: string[];
  /** What was refused, in the order of entry. */
  problems: ChipProblem[];
  /** Text that stays in the field for correction; empty when everything was taken. */
  rest: string;
}

/** Confirms typed text (Enter, Tab, comma, blur): one entry, or several parted by commas, semicolons or white space. */
export function confirmTyped(chips: readonly string[], text: string): ChipsResult {
  const entries = text.split(/[\s,;]+/).filter(Boolean);
  return entries.length > 1 && extractEmails(text).length > 0
    ? addPasted(chips, text)
    : addEntries(chips, entries);
}

/** Takes pasted text: its addresses are extracted, those already present are passed over silently (CE-09). */
export function addPasted(chips: readonly string[], text: string): ChipsResult {
  const found = extractEmails(text);
  if (found.length === 0) return addEntries(chips, text.trim() === '' ? [] : [text.trim()]);
  const known = new Set(chips.map(emailKey));
  return {
    chips: [...chips, ...found.filter((email) => !known.has(emailKey(email)))],
    problems: [],
    rest: '',
  };
}

function addEntries(chips: readonly string[], entries: readonly string[]): ChipsResult {
  const known = new Set(chips.map(emailKey));
  const next = [...chips];
  const problems: ChipProblem[] = [];
  for (const entry of entries) {
    if (!isEmail(entry)) problems.push({ kind: 'invalid', text: entry });
    else if (known.has(emailKey(entry))) problems.push({ kind: 'duplicate', text: entry });
    else {
      known.add(emailKey(entry));
      next.push(entry);
    }
  }
  return { chips: next, problems, rest: problems.map((problem) => problem.text).join(' ') };
}
