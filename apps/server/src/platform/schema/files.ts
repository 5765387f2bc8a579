/** Bytes that outlive a request: files in pieces, objects, images. */
import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';

/** Bytes that outlive a request (`files/`). The pieces are in their own table; a file without pieces is in a store. */
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
    /** Id of a file, or of an import or upload, whose parts are its CSVs. */
    fileId: uuid('file_id').notNull(),
    /** Position of the CSV, from 0. */
    part: integer('part').notNull().default(0),
    seq: integer('seq').notNull(),
    data: bytes('data').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.part, table.seq] })],
);

/** Objects stored in the database (`files/objects.ts`): small ones, whole in their row. */
export const objects = pgTable('objects', {
  key: text('key').primaryKey(),
  /** Media type. */
  type: text('type').notNull(),
  data: bytes('data').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Public images, by their key in the store. */
export const images = pgTable(
  'images',
  {
    key: text('key').primaryKey(),
    /** Store of the image: `database`, or the name of a bucket (`files/objects.ts`). */
    home: text('home').notNull(),
    /** The link given to the admin, if it does not lead to LMS Admin itself. */
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

/** Uploads of images: who uploaded which, under which names. A search finds an image under any of them. */
export const imageUploads = pgTable(
  'image_uploads',
  {
    login: text('login').notNull(),
    key: text('key').notNull(),
    /** Name of the file. Several names may have one key, which has only their ASCII letters. */
    name: text('name').notNull(),
    /** The name for searching: without accents, in lower case. */
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
