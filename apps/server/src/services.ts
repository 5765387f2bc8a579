/** Foundation of the other parts: the database, the LMS, sign-in and access. */
import type { Logger } from 'pino';
import { AccountTrees } from './access/account-tree.ts';
import { type ActFor, createActFor } from './access/acting.ts';
import { openAccess } from './access/first-import.ts';
import type { AccessRecords } from './access/records.ts';
import { Scope } from './access/scope.ts';
import { Grants } from './auth/grants.ts';
import { createOAuth } from './auth/oauth.ts';
import { Sessions } from './auth/sessions.ts';
import { SignIn } from './auth/sign-in.ts';
import { type Attachments, createAttachments } from './canvas/attachments.ts';
import { createCanvasClient } from './canvas/client.ts';
import { createLmsIdentity, type LmsIdentity } from './canvas/identity.ts';
import { Roles } from './canvas/resources/roles.ts';
import type { CanvasClient } from './canvas/types.ts';
import { CopiedPeople } from './directory/copied-people.ts';
import { Directory } from './directory/directory.ts';
import { createFiles, databaseStore, type Files } from './files/files.ts';
import { createObjects, type Objects } from './files/homes.ts';
import { mayHaveChangedPeople } from './imports/people-changes.ts';
import { needsGrant } from './jobs/turn.ts';
import { introduceAs } from './outbound/outbound.ts';
import { type Audit, createAudit } from './platform/audit.ts';
import type { Config } from './platform/config.ts';
import type { Database, SchemaUse } from './platform/database.ts';
import { claimDatabase } from './platform/installation.ts';
import { openDatabase } from './platform/open-database.ts';
import { loadSecrets, type Secrets } from './platform/secrets.ts';
import { createQualtricsClient, type QualtricsClient } from './qualtrics/client.ts';
import { createTimetable, type Timetable } from './timetable/timetable.ts';
import { People } from './users/people.ts';
import { queueNeedsGrant } from './zoom/queue.ts';
import { createZoomClient } from './zoom-api/client.ts';
import type { ZoomClient } from './zoom-api/types.ts';

/** Services that tools use. */
export interface Services {
  config: Config;
  log: Logger;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** Public origin of the console; with port 0 it is known once the server listens. */
  site: { origin: string };
  db: Database;
  audit: Audit;
  files: Files;
  objects: Objects;
  canvas: CanvasClient;
  attachments: Attachments;
  timetable: Timetable;
  zoom: ZoomClient;
  qualtrics: QualtricsClient;
  /** Identity of the current LMS. */
  identity: LmsIdentity;
  access: AccessRecords;
  secrets: Secrets;
  grants: Grants;
  sessions: Sessions;
  signIn: SignIn;
  actFor: ActFor;
  scope: Scope;
  trees: AccountTrees;
  people: People;
  /** People in the directory's copy. */
  copied: CopiedPeople;
  roles: Roles;
  directory: Directory;
}

export interface ServicesOptions {
  log: Logger;
  /** The clock of sessions and caches, in milliseconds since 1970. */
  now: () => number;
  /** Sign-in limit for one person per minute. */
  signInsPerMinute: number;
  /** Accepted schema of the database; by default the schema is updated. */
  schema?: SchemaUse;
  /** Name in a PostgreSQL server's list of connections. */
  name?: string;
  /** Keeps the embedded database in memory, starting with these files (tests). */
  databaseInMemory: Blob | null;
  /** Milliseconds to wait for a PostgreSQL server that is starting. */
  databaseStartMs?: number;
}

/**
 * Opens the database and creates the services, each after those it needs.
 * @throws ConfigError for a broken access file or key, or a database of another LMS; FolderInUse when another process
 * has the data folder
 */
export async function openServices(config: Config, options: ServicesOptions): Promise<Services> {
  const { log, now } = options;
  introduceAs(config.site.techTeamEmail ?? config.site.itSupportEmail);
  const base = { config, log, now, site: { origin: config.origin ?? '' } };
  const records = { ...base, ...(await openRecords(config, options)) };
  const { canvas, ...outside } = createClients(config, { log, now });
  const stored = {
    files: createFiles(records.db.db, databaseStore(records.db.db)),
    objects: createObjects(records.db.db, config.images),
  };
  const identity = createLmsIdentity(canvas, config.lms.url);
  const signing = openSignIn({ ...records, canvas, identity }, options.signInsPerMinute);
  const trees = new AccountTrees({ canvas, hasServiceToken: signing.grants.hasServiceToken, now });
  const scope = new Scope({ canvas, trees, now });
  const people = new People(canvas);
  const roles = new Roles(canvas);
  const copied = new CopiedPeople({
    ...records,
    identity,
    changedSince: (token, of) => mayHaveChangedPeople({ ...records, canvas }, token, of),
  });
  const directory = new Directory({ ...records, canvas, identity, grants: signing.grants });
  // Cached data of one LMS must not be used for another.
  identity.onChange(() => [scope, trees, people, roles].forEach((memory) => memory.forgetAll()));
  return {
    ...records,
    ...stored,
    ...outside,
    ...signing,
    canvas,
    identity,
    scope,
    trees,
    people,
    copied,
    roles,
    directory,
  };
}

/** Opens the database with its keys, audit and access records. */
async function openRecords(
  config: Config,
  { log, now, databaseInMemory, databaseStartMs = 0, schema, name }: ServicesOptions,
): Promise<Pick<Services, 'secrets' | 'db' | 'audit' | 'access'>> {
  const secrets = await loadSecrets(config);
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: databaseInMemory ? null : config.dataFolder,
    startMs: databaseStartMs,
    ...(databaseInMemory ? { begin: databaseInMemory } : {}),
    ...(schema ? { schema } : {}),
    ...(name ? { name } : {}),
  });
  const audit = createAudit(db.db, log);
  try {
    await claimDatabase(db.db, config);
    const access = await openAccess({ config, db: db.db, audit, log, now });
    return { secrets, db, audit, access };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Creates the clients of other systems. */
function createClients(config: Config, clock: Pick<ServicesOptions, 'log' | 'now'>) {
  return {
    canvas: createCanvasClient(config.lms),
    attachments: createAttachments(config.lms),
    timetable: createTimetable(config.timetableFeeds, clock),
    zoom: createZoomClient(config.zoom, { now: clock.now }),
    qualtrics: createQualtricsClient(config.qualtrics, config.dataFolder),
  };
}

/** Creates sign-in, with the admins' LMS tokens. */
function openSignIn(
  records: Pick<
    Services,
    'config' | 'log' | 'now' | 'site' | 'secrets' | 'db' | 'audit' | 'access' | 'canvas' | 'identity'
  >,
  signInsPerMinute: number,
): Pick<Services, 'grants' | 'sessions' | 'signIn' | 'actFor'> {
  const { config, canvas, access } = records;
  const { db } = records.db;
  const oauth = createOAuth(config.lms, canvas.fetch);
  const { serviceToken } = config.lms;
  const isNeeded = async (grantId: string) => (await needsGrant(db, grantId)) || queueNeedsGrant(db, grantId);
  const grants = new Grants({ ...records, db, oauth, serviceToken, isNeeded });
  const sessions = new Sessions({ ...records, db, grants });
  const signIn = new SignIn({ ...records, db, oauth, grants, sessions, signInsPerMinute });
  return { grants, sessions, signIn, actFor: createActFor({ access, grants }) };
}

/** Closes all connections, that of the database last. */
export async function closeServices(services: Services): Promise<void> {
  const { canvas, attachments, timetable, zoom, qualtrics, objects, db } = services;
  await canvas.close();
  await attachments.close();
  await timetable.close();
  await zoom.close();
  await qualtrics.close();
  await objects.close();
  await db.close();
}
