/** What everything else stands on: the database, the LMS, who is signed in and what they may do. */
import type { Logger } from 'pino';
import { AccountTrees } from './access/account-tree.ts';
import { type ActFor, createActFor } from './access/acting.ts';
import { type AccessRecords, loadAccessFile } from './access/records.ts';
import { Scope } from './access/scope.ts';
import { Grants } from './auth/grants.ts';
import { createOAuth } from './auth/oauth.ts';
import { createSessions, type Sessions } from './auth/sessions.ts';
import { createSignIn, type SignIn } from './auth/sign-in.ts';
import { type Attachments, createAttachments } from './canvas/attachments.ts';
import { createCanvasClient } from './canvas/client.ts';
import { createLmsIdentity, type LmsIdentity } from './canvas/identity.ts';
import { Roles } from './canvas/resources/roles.ts';
import type { CanvasClient } from './canvas/types.ts';
import { createFiles, databaseStore, type Files } from './files/files.ts';
import { createObjects, type Objects } from './files/homes.ts';
import { needsGrant } from './jobs/turn.ts';
import { type Audit, createAudit } from './platform/audit.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database.ts';
import { claimDatabase } from './platform/installation.ts';
import { openDatabase } from './platform/open-database.ts';
import { loadSecrets } from './platform/secrets.ts';
import { createQualtricsClient, type QualtricsClient } from './qualtrics/client.ts';
import { createTimetable, type Timetable } from './timetable/timetable.ts';
import { People } from './users/people.ts';
import { queueNeedsGrant } from './zoom/queue.ts';
import { createZoomClient } from './zoom-api/client.ts';
import type { ZoomClient } from './zoom-api/types.ts';

/** Tools take of it what they need. */
export interface House {
  config: Config;
  log: Logger;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** Public origin of the console; with port 0 known once the server listens. */
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
  /** Which LMS answers. */
  identity: LmsIdentity;
  access: AccessRecords;
  grants: Grants;
  sessions: Sessions;
  signIn: SignIn;
  actFor: ActFor;
  scope: Scope;
  trees: AccountTrees;
  people: People;
  roles: Roles;
}

export interface HouseOptions {
  log: Logger;
  /** The clock of sessions and caches, in milliseconds since 1970. */
  now: () => number;
  /** Most sign-ins of one person in a minute. */
  signInsPerMinute: number;
  /** Keeps the embedded database in memory, beginning with these files (tests). */
  databaseInMemory: Blob | null;
}

/**
 * Opens the database and makes the services, from the inside out.
 * @throws ConfigError for a broken access file or key, or a database of another LMS; FolderInUse when another process has the data folder
 */
export async function openHouse(config: Config, options: HouseOptions): Promise<House> {
  const { log, now } = options;
  const site = { origin: config.origin ?? '' };
  const access = await loadAccessFile(config.accessFile);
  const secrets = await loadSecrets(config);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: options.databaseInMemory ? null : config.dataFolder,
    ...(options.databaseInMemory ? { begin: options.databaseInMemory } : {}),
  });
  const { db } = database;
  try {
    await claimDatabase(db, config);
  } catch (error) {
    await database.close();
    throw error;
  }
  const audit = createAudit(db, log);
  const files = createFiles(db, databaseStore(db));
  const objects = createObjects(db, config.images);
  const canvas = createCanvasClient(config.lms);
  const attachments = createAttachments(config.lms);
  const timetable = createTimetable(config.timetableFeeds, { log, now });
  const zoom = createZoomClient(config.zoom, { now });
  const qualtrics = createQualtricsClient(config.qualtrics, config.dataFolder);
  const oauth = createOAuth(config.lms, canvas.fetch);
  const identity = createLmsIdentity(canvas, config.lms.url);
  const { serviceToken } = config.lms;
  const isNeeded = async (grantId: string) => (await needsGrant(db, grantId)) || queueNeedsGrant(db, grantId);
  const grants = new Grants({ db, canvas, oauth, secrets, serviceToken, log, isNeeded });
  const sessions = createSessions({ db, access, grants, now });
  const signIn = createSignIn({
    db,
    canvas,
    identity,
    oauth,
    secrets,
    access,
    grants,
    sessions,
    audit,
    site,
    signInsPerMinute: options.signInsPerMinute,
    now,
  });
  const actFor = createActFor({ access, grants });
  const trees = new AccountTrees({ canvas, hasServiceToken: grants.hasServiceToken, now });
  const scope = new Scope({ canvas, trees, now });
  const people = new People(canvas);
  const roles = new Roles(canvas);
  // What is remembered of one LMS says nothing about another.
  identity.onChange(() => [scope, trees, people, roles].forEach((memory) => memory.forgetAll()));
  return {
    config,
    log,
    now,
    site,
    db: database,
    audit,
    files,
    objects,
    canvas,
    attachments,
    timetable,
    zoom,
    qualtrics,
    identity,
    access,
    grants,
    sessions,
    signIn,
    actFor,
    scope,
    trees,
    people,
    roles,
  };
}
