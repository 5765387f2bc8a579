/** Bytes that outlive a request: files in pieces, objects, images. */
import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';

/** Bytes that outlive a request (`files/`). The pieces stand apart; a file without pieces lies in a store. */
export const files = pgTable(
  'files',
  {
    id: uuid('id').primaryKey(),
    jobId: uuid('job_id'),
    login: text('login').notNull(),
    name: text('name').notNull(),
    /** Media type. */
    type: text('type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('files_job').on(table.jobId)],
);

/** Pieces of one gzip stream. Written before the record they belong to, so there is no foreign key. */
export const filePieces = pgTable(
  'file_pieces',
  {
    /** Of a file, or of an import or upload, whose parts are its CSVs. */
    fileId: uuid('file_id').notNull(),
    /** Which part, counted from 0. */
    part: integer('part').notNull().default(0),
    seq: integer('seq').notNull(),
    data: bytes('data').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.part, table.seq] })],
);

/** Objects that lie in our own database (`files/objects.ts`): small ones, whole in their row. */
export const objects = pgTable('objects', {
  key: text('key').primaryKey(),
  /** Media type. */
  type: text('type').notNull(),
  data: bytes('data').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Images that everybody may read, by the key under which they lie in their home. */
export const images = pgTable(
  'images',
  {
    key: text('key').primaryKey(),
    /** Where it lies: `database`, or which bucket (`files/objects.ts`). */
    home: text('home').notNull(),
    /** The link that was given where it does not lead to our own server. */
    link: text('link'),
    /** Media type, by content. */
    type: text('type').notNull(),
    bytes: integer('bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('images_home').on(table.home, table.key)],
);

/** Who has uploaded which of them, under which names: what is searched for later is any of them. */
export const imageUploads = pgTable(
  'image_uploads',
  {
    login: text('login').notNull(),
    key: text('key').notNull(),
    /** Name of the file. Several may have one key, which has only their plain letters. */
    name: text('name').notNull(),
    /** The name as it is searched: without marks and case. */
    folded: text('folded').notNull(),
    uploadedAt: moment('uploaded_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.login, table.key, table.name] }),
    index('image_uploads_own').on(
      table.login,
      table.uploadedAt.desc().nullsFirst(),
      table.key.desc().nullsFirst(),
    ),
  ],
);
