/**
 * Probable meaning of a file's columns, if its header does not match an SIS file: by their names in the languages of
 * the campuses, and by their contents. It is only a suggestion that a person confirms.
 */
import { likelyValue } from './sis-corrections.ts';
import { SIS_TABLES, type SisTable } from './sis-tables.ts';

/** Common names of columns, in the form of `plainName`. */
const CALLED: Readonly<Record<string, string>> = {
  user_id:
    'peoplesoftid psid sisid sisuserid usersisid studentid studentnumber studentno emplid employeeid personid campusid idnumber id matrikelnummer matrikelnr studentennummer personalnummer numeroetudiant numetudiant netudiant matricule idestudiante matricula numerodealumno numeroalumno',
  login_id:
    'login loginname username user email emailaddress mail schoolemail upn benutzername benutzer anmeldename email adresse emailadresse mailadresse courriel adressemail adresseemail utilisateur nomutilisateur identifiant correo correoelectronico usuario',
  email:
    'emailaddress mail schoolemail emailadresse mailadresse courriel adressemail adresseemail correo correoelectronico contactemail',
  first_name: 'first firstname givenname forename vorname prenom nombre nombredepila',
  last_name: 'last lastname surname familyname nachname familienname nom nomdefamille apellido apellidos',
  full_name:
    'name fullname displayname studentname vollername namevollstaendig nomcomplet nometprenom nombrecompleto',
  short_name: 'shortname nickname preferredname rufname kurzname nomusuel nombrecorto code coursecode',
  long_name: 'longname title coursename coursetitle titel kursname titre intitule titulo nombredelcurso',
  status: 'state enrolmentstatus enrollmentstatus userstatus zustand statut etat estado estatus',
  course_id:
    'course coursesisid siscourseid coursecode courseno kurs kursid kursnummer veranstaltung cours codecours idcours curso idcurso codigocurso',
  section_id: 'section sectionsisid sissectionid sectioncode gruppe sektion groupe seccion idseccion',
  role_id: 'roleid roleno rollenid idrole idrol',
  role: 'rolename enrolmentrole enrollmentrole enrolmenttype type rolle funktion fonction rol funcion',
  account_id: 'account subaccount accountsisid sisaccountid programme program programm',
  term_id: 'term semester termsisid period semestre trimestre periode',
  name: 'sectionname title titel titre titulo bezeichnung',
  start_date: 'start startdate begins from beginn von debut inicio',
  end_date: 'end enddate ends until ende bis fin',
};

const NAMES = new Map(Object.entries(CALLED).map(([column, names]) => [column, new Set(names.split(' '))]));

/** Returns a name without case, accents, spaces and punctuation. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** Share of a column's cells that must look like the expected value. */
const MOSTLY = 0.8;

/**
 * Rates the match between a column of the file and a column of a table: 0 for not at all.
 * @param cells the first ones
 */
function fit(table: SisTable, column: string, header: string, cells: readonly string[]): number {
  const plain = plainName(header);
  if (plain !== '' && plain === plainName(column)) return 100;
  const filled = cells.filter((cell) => cell !== '');
  const mostly = (looks: (cell: string) => boolean) =>
    filled.length > 0 && filled.filter(looks).length >= filled.length * MOSTLY;
  const named = NAMES.get(column)?.has(plain) ?? false;
  if (named) {
    // A number is the id of a role.
    if (column === 'role' && mostly((cell) => /^\d+$/.test(cell))) return 0;
    // A login can be anything, an address cannot.
    if (column === 'email' && filled.length > 0 && !mostly((cell) => MAIL.test(cell))) return 0;
    return 80;
  }
  if (column === 'role_id' && NAMES.get('role')?.has(plain) && mostly((cell) => /^\d+$/.test(cell)))
    return 80;
  if ((column === 'login_id' || column === 'email') && mostly((cell) => MAIL.test(cell))) return 40;
  const { states } = table.rows;
  if (
    column === 'status' &&
    mostly((cell) => states.includes(cell.toLowerCase()) || likelyValue('status', cell, states) !== null)
  )
    return 30;
  return 0;
}

/** Returns the columns that a table requires: one of each list. */
export function neededColumns(table: SisTable): (readonly string[])[] {
  const needs = table.rows.needs.map(({ oneOf }) => oneOf);
  return [...needs, ...(table.rows.states.length > 0 ? [['status']] : [])];
}

/**
 * Finds the probable column of the table for each column of the file; empty for none. None is used twice.
 * @param sample the first rows
 */
export function likelyColumns(
  table: SisTable,
  header: readonly string[],
  sample: readonly (readonly string[])[],
): string[] {
  const needed = neededColumns(table).flat();
  const pairs = header.flatMap((name, at) => {
    const cells = sample.map((row) => row[at] ?? '');
    return table.columns.flatMap((column, place) => {
      const score = fit(table, column, name, cells);
      // Required columns come first.
      return score > 0 ? [{ at, column, place, score: score + (needed.includes(column) ? 10 : 0) }] : [];
    });
  });
  pairs.sort((a, b) => b.score - a.score || a.place - b.place || a.at - b.at);
  const found = header.map(() => '');
  const given = new Set<string>();
  for (const { at, column } of pairs) {
    if (found[at] !== '' || given.has(column)) continue;
    found[at] = column;
    given.add(column);
  }
  // People sign in with their address if there is nothing else.
  if (needed.includes('login_id') && !given.has('login_id')) {
    const address = found.indexOf('email');
    if (address !== -1) found[address] = 'login_id';
  }
  return found;
}

/** Returns the required columns that a header does not have. */
export function missingColumns(table: SisTable, names: readonly string[]): (readonly string[])[] {
  return neededColumns(table).filter((oneOf) => !oneOf.some((name) => names.includes(name)));
}

/** Returns the probable table: the one with most of its required columns; null without evidence for any. */
export function likelyTable(
  header: readonly string[],
  sample: readonly (readonly string[])[],
  tables: readonly SisTable[] = SIS_TABLES,
): SisTable | null {
  let best: { table: SisTable; score: number } | null = null;
  for (const table of tables) {
    const names = likelyColumns(table, header, sample);
    const needed = neededColumns(table);
    const met = needed.length - missingColumns(table, names).length;
    if (met === 0) continue;
    const score = met / needed.length + names.filter((name) => name !== '').length / 100;
    if (best === null || score > best.score) best = { table, score };
  }
  return best?.table ?? null;
}
