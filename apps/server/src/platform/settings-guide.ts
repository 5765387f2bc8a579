/**
 * Descriptions of all settings: `docs/operating/settings.md` and `.env.example` are generated from this list, and a
 * test compares it with the settings in use.
 */

export interface SettingGuide {
  name: string;
  does: string;
  /** A valid value. */
  example: string;
  /** Default in words; if not given, the default of the check. */
  unset?: string;
  /** Required with an LMS on another machine. */
  required?: boolean;
}

export interface SettingGroup {
  title: string;
  about?: string;
  settings: readonly SettingGuide[];
}

const campus = 'that of the practice LMS';
const none = 'none';

/** Settings of the server, in the order of setting them up. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Address',
    settings: [
      {
        name: 'LMS_ADMIN_URL',
        does: 'The address at which people open LMS Admin, and to which they return after signing in.',
        example: 'https://lms-admin.example.edu',
        unset: '`http://localhost` with the port',
        required: true,
      },
      { name: 'PORT', does: 'The port to listen on.', example: '8080' },
      {
        name: 'HOST',
        does: 'The address to listen on. Use `0.0.0.0` to listen on every network of the machine.',
        example: '127.0.0.1',
      },
      {
        name: 'TRUSTED_PROXIES',
        does: 'Addresses or networks of the proxies in front of LMS Admin, in addition to this machine. LMS Admin trusts only these proxies to say which address a request came from. They must pass on the requested name (`Host`).',
        example: '10.0.0.5,10.1.0.0/16',
        unset: 'this machine',
      },
      {
        name: 'METRICS_FROM',
        does: 'Addresses or networks that can read `/metrics`, in addition to this machine.',
        example: '10.0.0.0/8',
        unset: 'this machine',
      },
      {
        name: 'METRICS_TOKEN',
        does: 'A token for `/metrics`. A program that sends it (`Authorization: Bearer …`) can read the metrics from any address ([monitoring](monitoring.md)).',
        example: 'a-random-text-without-spaces',
        unset: none,
      },
    ],
  },
  {
    title: 'Canvas',
    about:
      'If `LMS_URL` is set, LMS Admin uses the real Canvas instead of a practice LMS. At the first start, a database is tied to practice mode or to one Canvas, and does not work with any other.',
    settings: [
      {
        name: 'LMS_URL',
        does: 'The address of Canvas.',
        example: 'https://school.instructure.com',
        unset: 'practice mode',
      },
      {
        name: 'LMS_CLIENT_ID',
        does: 'The number of the developer key in Canvas.',
        example: '10000000000042',
        unset: campus,
        required: true,
      },
      {
        name: 'LMS_CLIENT_SECRET',
        does: 'The secret of the developer key.',
        example: 'a-text-of-at-least-8-characters',
        unset: campus,
        required: true,
      },
      {
        name: 'LMS_SERVICE_TOKEN',
        does: 'A token for calls to the root account.',
        example: 'a-token-of-a-service-user',
        unset: 'each administrator’s own sign-in is used',
      },
      {
        name: 'LMS_FORMER_URL',
        does: 'The previous address of the same Canvas. Set it when Canvas moves to a new address. Otherwise LMS Admin does not start, because the database belongs to the previous address.',
        example: 'https://canvas.example.edu',
        unset: none,
      },
      {
        name: 'LMS_FILE_HOSTS',
        does: 'Other hosts from which LMS Admin can read Canvas files, such as error attachments and avatars.',
        example: 'files.example.edu,inst-fs-iad-prod.inscloudgate.net',
        unset: 'Canvas itself',
      },
      {
        name: 'LMS_MAX_IN_FLIGHT',
        does: 'The maximum number of simultaneous calls to Canvas for one sign-in.',
        example: '11',
      },
      {
        name: 'LMS_TIMEOUT_MS',
        does: 'The time in milliseconds within which Canvas must start to answer. If the answer to an import is lost, LMS Admin waits at least this long before it sends the import again.',
        example: '30000',
      },
      {
        name: 'LMS_MAX_PAGES',
        does: 'The maximum number of pages in a list. Each page has 100 items. A longer list is treated as endless.',
        example: '1000',
      },
    ],
  },
  {
    title: 'People, keys and data',
    settings: [
      {
        name: 'LMS_ADMIN_ACCESS',
        does: 'The file that says who can sign in and what they can do. LMS Admin imports it into the database at the first start. After that, change access on the page Access. `config/access.example.json` explains each field.',
        example: '/etc/lms-admin/access.json',
        unset: '`config/access.json`',
        required: true,
      },
      {
        name: 'ACCESS_SOURCE',
        does: 'With `file`, access is defined only in the access file, which is read at each start. The page Access then shows and tests access, but cannot change it.',
        example: 'database',
      },
      {
        name: 'ACCESS_FOUR_EYES',
        does: 'With `true`, a second access administrator must approve a change that gives someone a right for the whole school, or that changes the administrator’s own record.',
        example: 'true',
        unset: '`false`',
      },
      {
        name: 'LMS_ADMIN_KEY',
        does: '32 random bytes as base64 or hex. LMS Admin uses this key to encrypt the LMS tokens in the database ([the key](keys.md)).',
        example: '0f'.repeat(32),
        unset: 'created in the data folder',
        required: true,
      },
      {
        name: 'LMS_ADMIN_KEY_OLD',
        does: 'The previous key, while you change the key. LMS Admin can read with both keys, and writes with the new one.',
        example: '0e'.repeat(32),
        unset: none,
      },
      {
        name: 'DATABASE_URL',
        does: 'The address of PostgreSQL 15 or newer, which several servers can share. Use `embedded` for the database in the data folder.',
        example: 'postgres://lms_admin:password@localhost:5432/lms_admin',
        unset: '`embedded`',
        required: true,
      },
      {
        name: 'LMS_ADMIN_DATA',
        does: 'The data folder. It contains the embedded database, uploads in progress, and in practice mode the practice LMS and the logs.',
        example: '/var/lib/lms-admin',
      },
      { name: 'LOG_LEVEL', does: 'How much is logged.', example: 'info' },
      {
        name: 'LOG_FORMAT',
        does: 'The format of the log: `json` for programs that collect logs, `plain` for people who read them in a terminal.',
        example: 'plain',
      },
    ],
  },
  {
    title: 'The school',
    settings: [
      { name: 'INSTITUTION', does: 'The name of the school.', example: 'Example Business School' },
      {
        name: 'LOGO_URL',
        does: 'The address of the logo of the school.',
        example: 'https://www.example.edu/logo.svg',
        unset: none,
      },
      {
        name: 'SCHOOL_EMAIL_DOMAIN',
        does: 'The domain that addresses of new users must have.',
        example: 'example.edu',
        unset: 'any, or that of the practice LMS',
      },
      {
        name: 'IT_SUPPORT_EMAIL',
        does: 'The address that messages tell people to contact.',
        example: 'it.support@example.edu',
        unset: 'no link',
      },
      {
        name: 'LMS_TECH_TEAM_EMAIL',
        does: 'The address of the team that looks after Canvas. LMS Admin gives this address as its contact in calls to other systems. If it is not set, LMS Admin gives `IT_SUPPORT_EMAIL`.',
        example: 'lms.team@example.edu',
        unset: 'no link',
      },
      {
        name: 'GUIDE_URL',
        does: 'The address of the school’s own guide.',
        example: 'https://www.example.edu/lms-guide.pdf',
        unset: 'no link',
      },
      {
        name: 'RECORDINGS_URL',
        does: 'The address of the page for recordings.',
        example: 'https://recordings.example.edu',
        unset: 'no link',
      },
      {
        name: 'AUTO_SELECTED_PROGRAMMES',
        does: 'The account numbers of programmes that count as their own sub-account.',
        example: '86,120',
      },
      {
        name: 'MAX_ENROLLMENT_ROWS',
        does: 'The maximum number of rows in one submission.',
        example: '500000',
      },
    ],
  },
  {
    title: 'Zoom and timetable',
    about:
      'If no `ZOOM_…` setting is set, the Zoom tools say that Zoom is not set up. If one of them is set, the account, the app, `ZOOM_HOST` and `ZOOM_DEFAULT_OWNER` are required.',
    settings: [
      {
        name: 'ZOOM_ACCOUNT_ID',
        does: 'The account with the school’s server-to-server app in Zoom.',
        example: 'AbCdEfGhIjKlMnOpQrStUv',
        unset: campus,
      },
      { name: 'ZOOM_CLIENT_ID', does: 'The ID of this app.', example: 'AbCdEfGhIjKlMnOp', unset: campus },
      {
        name: 'ZOOM_CLIENT_SECRET',
        does: 'The secret of this app.',
        example: 'a-text-of-at-least-8-characters',
        unset: campus,
      },
      {
        name: 'ZOOM_HOST',
        does: 'The host names that join links can have. LMS Admin does not publish any other links.',
        example: 'school.zoom.us,us02web.zoom.us',
        unset: campus,
      },
      {
        name: 'ZOOM_DEFAULT_OWNER',
        does: 'The Zoom account that owns meetings without a host, and schedules meetings for the hosts.',
        example: 'lms.zoom@example.edu',
        unset: campus,
      },
      {
        name: 'ZOOM_OWNERS',
        does: 'The people who can own meetings.',
        example: 'one@example.edu,two@example.edu',
        unset: 'everyone for whom the default owner can schedule',
      },
      {
        name: 'ZOOM_API_URL',
        does: 'The address of Zoom’s API.',
        example: 'https://api.zoom.us/v2',
        unset: '`https://api.zoom.us/v2`',
      },
      {
        name: 'ZOOM_ICS_PATTERN',
        does: 'The address of Zoom’s own calendar file, with `{host}` and `{number}`.',
        example: 'https://{host}/meeting/{number}/ics',
        unset: 'LMS Admin creates the file',
      },
      {
        name: 'ZOOM_QUEUE_HOURS',
        does: 'How often LMS Admin runs the queue of Zoom Event Run, in hours.',
        example: '24',
      },
      {
        name: 'TIMETABLE_FEEDS',
        does: 'The pages of the timetable, as a JSON list. Each entry has the address of a page (`url`: https, ends in `.json` or `.ics`, with `{from}` and `{to}` for the days) and its time zone (`zone`). Optionally, `course`, `title` and `rooms` name the columns with this information, and `pattern` is a regular expression that finds the SIS ID in the course column.',
        example: '[{"url":"https://timetable.example.edu/{from}/{to}.ics","zone":"Europe/Paris"}]',
        unset: campus,
      },
    ],
  },
  {
    title: 'The award',
    settings: [
      {
        name: 'QUALTRICS_URL',
        does: 'The address of the Qualtrics data centre. If it is not set, LMS Admin does not count votes.',
        example: 'https://fra1.qualtrics.com',
        unset: campus,
      },
      {
        name: 'QUALTRICS_TOKEN',
        does: 'The API token of a user who can export the survey. You can use an app instead (see the next setting).',
        example: 'a-text-of-at-least-8-characters',
        unset: campus,
      },
      {
        name: 'QUALTRICS_CLIENT_ID',
        does: 'The ID of an app with `read:surveys` and `read:survey_responses`, instead of a token.',
        example: 'an-app',
        unset: none,
      },
      {
        name: 'QUALTRICS_CLIENT_SECRET',
        does: 'The secret of this app.',
        example: 'a-text-of-at-least-8-characters',
        unset: none,
      },
      {
        name: 'BTA_SURVEY_ID',
        does: 'The ID of the award survey.',
        example: 'SV_0abcDEF1234ghij',
        unset: campus,
      },
    ],
  },
  {
    title: 'A bucket for images',
    about:
      'Without a bucket, images are kept in the database. The bucket, key and secret must be set together. See [images in a bucket](images.md).',
    settings: [
      {
        name: 'S3_BUCKET',
        does: 'The name of the bucket.',
        example: 'school-images',
        unset: 'images are kept in the database',
      },
      {
        name: 'S3_ACCESS_KEY_ID',
        does: 'The ID of a key that can write to the bucket.',
        example: 'AKIDEXAMPLE',
        unset: none,
      },
      {
        name: 'S3_SECRET_ACCESS_KEY',
        does: 'The secret of this key.',
        example: 'the-secret-of-the-key',
        unset: none,
      },
      {
        name: 'S3_ENDPOINT',
        does: 'The address of the store. For AWS, the region is enough.',
        example: 'https://s3.example.edu',
        unset: 'AWS',
      },
      {
        name: 'S3_REGION',
        does: 'The region of the bucket, if the store has regions.',
        example: 'eu-west-3',
        unset: '`us-east-1`',
      },
      {
        name: 'S3_PUBLIC_URL',
        does: 'The address at which everyone can read the bucket. Links to images use this address.',
        example: 'https://images.example.edu',
        unset: 'LMS Admin serves the images',
      },
      {
        name: 'S3_TIMEOUT_MS',
        does: 'The time in milliseconds within which the store must answer.',
        example: '30000',
      },
      ...(['ENDPOINT', 'REGION', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const).map((name) => ({
        name: `S3_OLD_${name}`,
        does: `The same as \`S3_${name}\`, for the previous bucket while images are moved.`,
        example: {
          ENDPOINT: 'https://s3.example.edu',
          REGION: 'eu-west-1',
          BUCKET: 'former-images',
          ACCESS_KEY_ID: 'AKIDEXAMPLE',
          SECRET_ACCESS_KEY: 'the-secret-of-the-key',
        }[name],
        unset: none,
      })),
    ],
  },
  {
    title: 'Directory',
    about:
      'The directory is a copy of the people, courses and sections in the LMS, which LMS Admin reads once a day from an LMS report. Typed names are found in the directory immediately, and reviews of enrolments and group members and the form of Create Users show people from it. Before anything is sent, it is checked in the LMS. The service user needs permission to create reports on the root account.',
    settings: [
      {
        name: 'DIRECTORY',
        does: '`on` or `off`. If you switch it off, LMS Admin removes the copy at the next start.',
        example: 'on',
      },
      {
        name: 'DIRECTORY_TIME',
        does: 'The time of day at which the copy is refreshed, in the time zone of the root account.',
        example: '02:00',
      },
    ],
  },
  {
    title: 'How long things are kept',
    about: 'For the data that names people, and where it is kept, see [personal data](personal-data.md).',
    settings: [
      {
        name: 'RETENTION_WORK_DAYS',
        does: 'How many days the rows, results and messages of finished work are kept. An import can be undone for the same number of days.',
        example: '30',
      },
      {
        name: 'RETENTION_HISTORY_DAYS',
        does: 'How many days an Activity entry (who did what, with its numbers) is kept.',
        example: '1095',
        unset: 'indefinitely',
      },
      {
        name: 'RETENTION_AUDIT_DAYS',
        does: 'How many days an audit record is kept.',
        example: '1095',
        unset: 'indefinitely',
      },
    ],
  },
  {
    title: 'Work',
    about: 'You will rarely need to change these.',
    settings: [
      {
        name: 'JOB_LEASE_MS',
        does: 'The time in milliseconds after which another server takes over the work of a server that has stopped.',
        example: '15000',
      },
      {
        name: 'IMPORT_POLL_MS',
        does: 'The time in milliseconds between two checks of an import in Canvas.',
        example: '2000',
      },
      {
        name: 'IMPORT_GRACE_MS',
        does: 'If the answer to an import was lost, the time in milliseconds before LMS Admin checks whether Canvas has the import.',
        example: '30000',
        unset: '30000, or `LMS_TIMEOUT_MS` if that is longer',
      },
      {
        name: 'IMPORT_PATIENCE_MS',
        does: 'How long an import waits if Canvas does not answer, in milliseconds.',
        example: '86400000',
      },
      {
        name: 'SIGN_IN_PATIENCE_MS',
        does: 'How long work waits for a person to sign in again after Canvas has stopped accepting their sign-in, in milliseconds.',
        example: '604800000',
      },
    ],
  },
  {
    title: 'The practice LMS',
    about:
      'These settings apply only if `LMS_URL` is not set. The practice LMS imitates Canvas, Zoom, Qualtrics and a timetable, so that you can try everything out. Its front page has links to all of them, and a *Reset* button.',
    settings: [
      { name: 'SANDBOX_PORT', does: 'The port of the practice LMS.', example: '8090', unset: '8090' },
      {
        name: 'SANDBOX_HOST',
        does: 'The address to listen on. If other machines should be able to reach the practice LMS, set `SANDBOX_ADMIN_TOKEN` as well.',
        example: '0.0.0.0',
        unset: 'this machine',
      },
      {
        name: 'SANDBOX_SIZE',
        does: '`default`, or `large`: 20,000 courses and 60,000 people.',
        example: 'large',
        unset: '`default`',
      },
      {
        name: 'SANDBOX_DATA',
        does: 'The folder in which the practice LMS keeps its data between restarts.',
        example: 'var/campus',
        unset: '`campus` in the data folder; in test mode nothing is kept',
      },
      { name: 'SANDBOX_MODE', does: '`practice` or `test`.', example: 'practice', unset: '`practice`' },
      {
        name: 'SANDBOX_IMPORT_PACE',
        does: 'How many rows of an import are processed per second, or `instant`.',
        example: '40',
        unset: '40',
      },
      {
        name: 'SANDBOX_REPORT_MS',
        does: 'How long an account report takes, in milliseconds.',
        example: '3000',
        unset: '3000',
      },
      {
        name: 'SANDBOX_LATENCY_MS',
        does: 'A delay in milliseconds before every answer.',
        example: '100',
        unset: '0',
      },
      {
        name: 'SANDBOX_THROTTLE',
        does: 'With `off`, the practice LMS answers any number of requests. With `on`, it limits requests as Canvas does, by `SANDBOX_THROTTLE_QUOTA` and `SANDBOX_THROTTLE_LEAK`.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_THROTTLE_QUOTA',
        does: 'The total cost of requests that one sign-in can use.',
        example: '600',
        unset: '600',
      },
      {
        name: 'SANDBOX_THROTTLE_LEAK',
        does: 'How much of this cost is given back per second.',
        example: '10',
        unset: '10',
      },
      {
        name: 'SANDBOX_THROTTLE_STATUS',
        does: 'The HTTP status that is returned when the limit is reached: `429`, or `403` as in a Canvas that a school hosts itself.',
        example: '403',
        unset: '`429`',
      },
      {
        name: 'SANDBOX_ADMIN_TOKEN',
        does: 'A token with all permissions, for scripts.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-admin-token`',
      },
      {
        name: 'SANDBOX_OAUTH_CLIENT_ID',
        does: 'The number of the developer key of the practice LMS.',
        example: '10',
        unset: '10',
      },
      {
        name: 'SANDBOX_OAUTH_CLIENT_SECRET',
        does: 'The secret of the developer key of the practice LMS.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-client-secret`',
      },
      {
        name: 'SANDBOX_OAUTH_REDIRECT_HOSTS',
        does: 'Other hosts, in addition to this machine, to which sign-in can return.',
        example: 'lms-admin.example.edu',
        unset: none,
      },
      {
        name: 'SANDBOX_ZOOM_LIMITS',
        does: 'With `off`, the practice Zoom accepts any number of calls.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_ZOOM_CLIENT_SECRET',
        does: 'The secret of the app in the practice Zoom.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-zoom-secret`',
      },
      {
        name: 'SANDBOX_QUALTRICS_LIMITS',
        does: 'With `off`, the practice Qualtrics accepts any number of calls.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_QUALTRICS_TOKEN',
        does: 'The token of the practice Qualtrics.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-qualtrics-token`',
      },
      {
        name: 'SANDBOX_QUALTRICS_CLIENT_SECRET',
        does: 'The secret of the app in the practice Qualtrics.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-qualtrics-secret`',
      },
    ],
  },
];
