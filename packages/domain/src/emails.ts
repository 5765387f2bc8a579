/**
 * E-mail addresses as they are typed and pasted (CE-09, CE-10).
 * The pattern is the one of the HTML standard for e-mail inputs, with a dot required in the domain.
 */
const CHARACTER = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = `${LABEL}(?:\\.${LABEL})+`;
const EMAIL = new RegExp(`^${CHARACTER}+@${DOMAIN}$`, 'i');
const LOCAL_CHARACTER = new RegExp(CHARACTER, 'i');
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
    while (start > end && at - start <= MAX_LENGTH && LOCAL_CHARACTER.test(text.charAt(start - 1))) start--;
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
