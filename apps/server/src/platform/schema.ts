/**
 * All database tables, by subject. The SQL in `apps/server/migrations` is generated from here: `npx drizzle-kit
 * generate --dialect postgresql --schema apps/server/src/platform/schema.ts --out apps/server/migrations`
 */
export * from './schema/access.ts';
export * from './schema/awards.ts';
export * from './schema/directory.ts';
export * from './schema/files.ts';
export * from './schema/jobs.ts';
export * from './schema/people.ts';
export * from './schema/plans.ts';
export * from './schema/sis-files.ts';
export * from './schema/zoom.ts';
