/** The readable part of a session and the access record behind it (areas AUTH and PERM; OP-04, OP-12). */
import { FLAGS } from '@lms-admin/domain/access';
import { z } from 'zod';

const flags = Object.fromEntries(FLAGS.map((flag) => [flag, z.boolean().default(false)])) as {
  [F in (typeof FLAGS)[number]]: z.ZodDefault<z.ZodBoolean>;
};

const commaList = z
  .string()
  .regex(/^\s*(\d+\s*(,\s*\d+\s*)*)?$/, 'a comma-separated list of ids, such as "86,120"');

const fields = z.strictObject({
  ...flags,
  perm: z.enum(['ALL', 'CUSTOM']),
  sub_accounts: commaList.default(''),
  roles: commaList.default(''),
  section_roles: commaList.default(''),
  email: z.email(),
  feature_permissions: z
    .strictObject({ zoom_update_courses_delete: z.boolean().default(false) })
    .default({ zoom_update_courses_delete: false }),
});

/** Permissions of an administrator. `sub_accounts`, `roles` and `section_roles` are comma-separated lists of Canvas ids. */
export const subAccount = fields.refine(({ perm, access_admin }) => perm === 'ALL' || !access_admin, {
  path: ['access_admin'],
  message: 'only a record with perm ALL can have it',
});
export type SubAccount = z.infer<typeof subAccount>;

/** The session fields that the browser can read: cookie `lms_admin_profile`, percent-encoded JSON. */
export const profile = z.object({
  /** A handle that is useless without the HttpOnly cookie. */
  access_token: z.string(),
  /** Time of the sign-in, in milliseconds since 1970. */
  time: z.number(),
  user: z.object({ id: z.number(), name: z.string() }),
  userProfile: z.object({ avatar_url: z.string().nullable(), time_zone: z.string().nullable() }),
  sub_account: subAccount,
  /** The end of the record, as ISO 8601; null: it does not end. */
  access_until: z.string().nullable().default(null),
});
export type Profile = z.infer<typeof profile>;

/** Names of the cookies. Only the first one is HttpOnly. */
export const COOKIES = {
  session: 'lms_admin_session',
  profile: 'lms_admin_profile',
  /** `true` while the welcome screen should be shown. */
  welcome: 'lms_admin_welcome',
  /** JSON `{heading, body}`, cleared once it has been shown (OP-10). */
  error: 'lms_admin_error',
  /** Binds the OAuth state to the browser; HttpOnly, ten minutes. */
  state: 'lms_admin_state',
} as const;

/** Body of `POST /api/auth/token`; a secret or address sent by the browser is ignored (OP-01). */
export const tokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().min(1).max(1_000),
  state: z.string().max(200).optional(),
  client_id: z.unknown().optional(),
  client_secret: z.unknown().optional(),
  redirect_uri: z.unknown().optional(),
});

/** Answer of the token exchange: `data` is stored as the session (AUTH-09); `returnTo` is a path of the console. */
export const tokenAnswer = z.object({ status: z.literal(200), data: profile, returnTo: z.string() });

/** Body of `POST /api/auth/log-status`; the email is replaced by the session's (OP-41). */
export const logStatusRequest = z.object({
  email: z.string().max(320).optional(),
  status: z.union([z.string().max(10_000), z.number()]),
});
