/** What each setting is for: `docs/operating/settings.md` and `.env.example` are written from this list, and held to the settings that are read. */

export interface SettingGuide {
  name: string;
  does: string;
  /** A value that would be taken. */
  example: string;
  /** What holds where nothing is set, in words; absent: as the check of the settings says. */
  unset?: string;
  /** Has to be there with an LMS on another machine. */
  required?: boolean;
}

export interface SettingGroup {
  title: string;
  about?: string;
  settings: readonly SettingGuide[];
}

const campus = 'that of the practice LMS';
const none = 'none';

/** Settings of the server, in the order in which someone sets them up. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Address',
    settings: [
      {
        name: 'LMS_ADMIN_URL',
        does: 'The address under which people open LMS Admin. Sign-in returns there.',
        example: 'https://lms-admin.example.edu',
        unset: '`http://localhost` with the port',
        required: true,
      },
      { name: 'PORT', does: 'The port to listen on.', example: '8080' },
      {
        name: 'HOST',
        does: 'The address to listen on; `0.0.0.0` for every network of the machine.',
        example: '127.0.0.1',
      },
      {
        name: 'TRUSTED_PROXIES',
        does: 'Addresses or networks of the proxies in front, beside this machine. Only these are believed when they say who asks; they have to pass on the name that was asked for (`Host`).',
        example: '10.0.0.5,10.1.0.0/16',
        unset: 'this machine',
      },
      {
        name: 'METRICS_FROM',
        does: 'Addresses or networks, beside this machine, that may read `/metrics`.',
        example: '10.0.0.0/8',
        unset: 'this machine',
      },
      {
        name: 'METRICS_TOKEN',
        does: 'Who sends it (`Authorization: Bearer …`) may read `/metrics` from everywhere ([monitoring](monitoring.md)).',
        example: 'a-random-text-without-spaces',
        unset: none,
      },
    ],
  },
  {
    title: 'Canvas',
    about:
      'With `LMS_URL` the real Canvas is used, and there is no practice LMS. A database belongs to practice mode or to one Canvas from its first start on, and refuses every other.',
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
        does: 'A token for the calls on the root account.',
        example: 'a-token-of-a-service-user',
        unset: 'each administrator’s own sign-in is used',
      },
      {
        name: 'LMS_FORMER_URL',
        does: 'The address under which the same Canvas was used before. Without it a database refuses a Canvas at another address.',
        example: 'https://canvas.example.edu',
        unset: none,
      },
      {
        name: 'LMS_FILE_HOSTS',
        does: 'Further hosts from which files of Canvas, such as error attachments and avatars, may come.',
        example: 'files.example.edu,inst-fs-iad-prod.inscloudgate.net',
        unset: 'Canvas itself',
      },
      { name: 'LMS_MAX_IN_FLIGHT', does: 'Most calls to Canvas at once for one sign-in.', example: '11' },
      {
        name: 'LMS_TIMEOUT_MS',
        does: 'Milliseconds that Canvas may take to begin an answer; also the least time before an import whose answer was lost is sent a second time.',
        example: '30000',
      },
      {
        name: 'LMS_MAX_PAGES',
        does: 'Pages of 100 beyond which a list counts as endless.',
        example: '1000',
      },
    ],
  },
  {
    title: 'People, keys and data',
    settings: [
      {
        name: 'LMS_ADMIN_ACCESS',
        does: 'The file that says who may sign in and do what. It is read into the database at the first start; afterwards access is changed on the page Access. `config/access.example.json` explains each field.',
        example: '/etc/lms-admin/access.json',
        unset: '`config/access.json`',
        required: true,
      },
      {
        name: 'ACCESS_SOURCE',
        does: '`file`: the access file alone says who may do what, and is read at each start. The page Access then shows and tests, and changes nothing.',
        example: 'database',
      },
      {
        name: 'ACCESS_FOUR_EYES',
        does: '`true`: a second access administrator has to approve a change that gives a right in the whole school, and a change of one’s own record.',
        example: 'true',
        unset: '`false`',
      },
      {
        name: 'LMS_ADMIN_KEY',
        does: '32 random bytes as base64 or hex, which seal the LMS tokens in the database ([the key](keys.md)).',
        example: '0f'.repeat(32),
        unset: 'created in the data folder',
        required: true,
      },
      {
        name: 'LMS_ADMIN_KEY_OLD',
        does: 'The former key while it is changed: both are read, and the new one writes.',
        example: '0e'.repeat(32),
        unset: none,
      },
      {
        name: 'DATABASE_URL',
        does: 'The address of PostgreSQL 15 or newer, which several servers may share; `embedded` for the database in the data folder.',
        example: 'postgres://lms_admin:password@localhost:5432/lms_admin',
        unset: '`embedded`',
        required: true,
      },
      {
        name: 'LMS_ADMIN_DATA',
        does: 'The data folder: the embedded database, uploads on their way, and in practice mode the campus and the logs.',
        example: '/var/lib/lms-admin',
      },
      { name: 'LOG_LEVEL', does: 'How much is logged.', example: 'info' },
    ],
  },
  {
    title: 'The school',
    settings: [
      { name: 'INSTITUTION', does: 'The name of the school.', example: 'Example Business School' },
      { name: 'LOGO_URL', does: 'Its logo.', example: 'https://www.example.edu/logo.svg', unset: none },
      {
        name: 'SCHOOL_EMAIL_DOMAIN',
        does: 'The domain that addresses of new users must have.',
        example: 'example.edu',
        unset: 'any, or that of the practice LMS',
      },
      {
        name: 'IT_SUPPORT_EMAIL',
        does: 'The address that messages send people to.',
        example: 'it.support@example.edu',
        unset: 'no link',
      },
      {
        name: 'LMS_TECH_TEAM_EMAIL',
        does: 'The address of those who look after Canvas. Calls to other systems name it, else `IT_SUPPORT_EMAIL`.',
        example: 'lms.team@example.edu',
        unset: 'no link',
      },
      {
        name: 'GUIDE_URL',
        does: 'Where the school’s own guide is.',
        example: 'https://www.example.edu/lms-guide.pdf',
        unset: 'no link',
      },
      {
        name: 'RECORDINGS_URL',
        does: 'The page for recordings.',
        example: 'https://recordings.example.edu',
        unset: 'no link',
      },
      {
        name: 'AUTO_SELECTED_PROGRAMMES',
        does: 'Account numbers of the programmes that are their own sub-account.',
        example: '86,120',
      },
      { name: 'MAX_ENROLLMENT_ROWS', does: 'Most rows in one submission.', example: '500000' },
    ],
  },
  {
    title: 'Zoom and timetable',
    about:
      'Without any `ZOOM_…` setting the Zoom tools say that Zoom is not set up. With one of them, account, app, `ZOOM_HOST` and `ZOOM_DEFAULT_OWNER` are needed.',
    settings: [
      {
        name: 'ZOOM_ACCOUNT_ID',
        does: 'The account of the school’s server-to-server app in Zoom.',
        example: 'AbCdEfGhIjKlMnOpQrStUv',
        unset: campus,
      },
      { name: 'ZOOM_CLIENT_ID', does: 'The app.', example: 'AbCdEfGhIjKlMnOp', unset: campus },
      {
        name: 'ZOOM_CLIENT_SECRET',
        does: 'Its secret.',
        example: 'a-text-of-at-least-8-characters',
        unset: campus,
      },
      {
        name: 'ZOOM_HOST',
        does: 'Hosts of join links. No other link is published.',
        example: 'school.zoom.us,us02web.zoom.us',
        unset: campus,
      },
      {
        name: 'ZOOM_DEFAULT_OWNER',
        does: 'The Zoom account that owns meetings which belong to no host yet, and schedules for the others.',
        example: 'lms.zoom@example.edu',
        unset: campus,
      },
      {
        name: 'ZOOM_OWNERS',
        does: 'Who may own meetings.',
        example: 'one@example.edu,two@example.edu',
        unset: 'whom the default owner may schedule for',
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
        unset: 'LMS Admin makes the file',
      },
      {
        name: 'ZOOM_QUEUE_HOURS',
        does: 'How often the queue of Zoom Event Run is worked through, in hours.',
        example: '24',
      },
      {
        name: 'TIMETABLE_FEEDS',
        does: 'The pages of the timetable, as a JSON list: `url` (https, `.json` or `.ics`, with `{from}` and `{to}` for days) and `zone`; `course`, `pattern`, `title` and `rooms` say where these are.',
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
        does: 'The address of the Qualtrics data centre. Without it votes are not counted.',
        example: 'https://fra1.qualtrics.com',
        unset: campus,
      },
      {
        name: 'QUALTRICS_TOKEN',
        does: 'The API token of a user who may export the survey; or use an app, below.',
        example: 'a-text-of-at-least-8-characters',
        unset: campus,
      },
      {
        name: 'QUALTRICS_CLIENT_ID',
        does: 'An app with `read:surveys` and `read:survey_responses`, instead of a token.',
        example: 'an-app',
        unset: none,
      },
      {
        name: 'QUALTRICS_CLIENT_SECRET',
        does: 'Its secret.',
        example: 'a-text-of-at-least-8-characters',
        unset: none,
      },
      {
        name: 'BTA_SURVEY_ID',
        does: 'The survey of the award.',
        example: 'SV_0abcDEF1234ghij',
        unset: campus,
      },
    ],
  },
  {
    title: 'A bucket for images',
    about:
      'Without a bucket images are kept in the database. Bucket, key and secret belong together. More in [images in a bucket](images.md).',
    settings: [
      { name: 'S3_BUCKET', does: 'The bucket.', example: 'school-images', unset: 'the database' },
      {
        name: 'S3_ACCESS_KEY_ID',
        does: 'The key that may write there.',
        example: 'AKIDEXAMPLE',
        unset: none,
      },
      { name: 'S3_SECRET_ACCESS_KEY', does: 'Its secret.', example: 'the-secret-of-the-key', unset: none },
      {
        name: 'S3_ENDPOINT',
        does: 'The address of the store; for AWS the region is enough.',
        example: 'https://s3.example.edu',
        unset: 'AWS',
      },
      {
        name: 'S3_REGION',
        does: 'The region of the bucket, if there are any.',
        example: 'eu-west-3',
        unset: '`us-east-1`',
      },
      {
        name: 'S3_PUBLIC_URL',
        does: 'Where everyone can read the bucket: links lead there.',
        example: 'https://images.example.edu',
        unset: 'LMS Admin hands images out',
      },
      { name: 'S3_TIMEOUT_MS', does: 'Milliseconds that the store may take.', example: '30000' },
      ...(['ENDPOINT', 'REGION', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const).map((name) => ({
        name: `S3_OLD_${name}`,
        does: `\`S3_${name}\` of the former bucket, while images are moved.`,
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
      'A copy of the people, courses and sections of the LMS, read once a day from a report of the LMS. No tool uses it yet. The service user needs the right to make reports on the root account.',
    settings: [
      {
        name: 'DIRECTORY',
        does: '`on` or `off`. When it is switched off, the next start removes the copy.',
        example: 'on',
      },
      {
        name: 'DIRECTORY_TIME',
        does: 'The time of day at which it is refreshed, in the time zone of the root account.',
        example: '02:00',
      },
    ],
  },
  {
    title: 'How long things are kept',
    about: 'What names people, and where it is: [personal data](personal-data.md).',
    settings: [
      {
        name: 'RETENTION_WORK_DAYS',
        does: 'Days after its end that the rows, results and messages of work are kept. As long an import can be undone.',
        example: '30',
      },
      {
        name: 'RETENTION_HISTORY_DAYS',
        does: 'Days after which an entry of Activity is removed: who did what, with its counts.',
        example: '1095',
        unset: 'for good',
      },
      {
        name: 'RETENTION_AUDIT_DAYS',
        does: 'Days after which a line of the audit is removed.',
        example: '1095',
        unset: 'for good',
      },
    ],
  },
  {
    title: 'Work',
    about: 'Rarely changed.',
    settings: [
      {
        name: 'JOB_LEASE_MS',
        does: 'Milliseconds after which another server takes over the work of one that has stopped.',
        example: '15000',
      },
      {
        name: 'IMPORT_POLL_MS',
        does: 'Milliseconds between two looks at an import in Canvas.',
        example: '2000',
      },
      {
        name: 'IMPORT_GRACE_MS',
        does: 'Milliseconds before Canvas is asked whether it has an import whose answer was lost.',
        example: '30000',
        unset: '30000, or `LMS_TIMEOUT_MS` where that is longer',
      },
      {
        name: 'IMPORT_PATIENCE_MS',
        does: 'Milliseconds for which an import waits for a Canvas that does not answer.',
        example: '86400000',
      },
      {
        name: 'SIGN_IN_PATIENCE_MS',
        does: 'Milliseconds for which work waits for a person whose sign-in Canvas no longer accepts.',
        example: '604800000',
      },
    ],
  },
  {
    title: 'The practice LMS',
    about:
      'Only without `LMS_URL`. The campus is a Canvas, a Zoom, a Qualtrics and a timetable to try everything on. Its front page leads to what there is, and has *Reset*.',
    settings: [
      { name: 'SANDBOX_PORT', does: 'Its port.', example: '8090', unset: '8090' },
      {
        name: 'SANDBOX_HOST',
        does: 'The address to listen on. For other machines `SANDBOX_ADMIN_TOKEN` is needed as well.',
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
        does: 'The folder in which it remembers what was done, over restarts too.',
        example: 'var/campus',
        unset: '`campus` in the data folder; in test mode nothing is remembered',
      },
      { name: 'SANDBOX_MODE', does: '`practice` or `test`.', example: 'practice', unset: '`practice`' },
      {
        name: 'SANDBOX_IMPORT_PACE',
        does: 'Rows of an import in a second, or `instant`.',
        example: '40',
        unset: '40',
      },
      {
        name: 'SANDBOX_REPORT_MS',
        does: 'Milliseconds that an account report runs.',
        example: '3000',
        unset: '3000',
      },
      {
        name: 'SANDBOX_LATENCY_MS',
        does: 'Milliseconds by which every answer comes later.',
        example: '100',
        unset: '0',
      },
      {
        name: 'SANDBOX_THROTTLE',
        does: '`off`: it answers however much is asked. Canvas’s own limits are `SANDBOX_THROTTLE_QUOTA` and `SANDBOX_THROTTLE_LEAK`.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_THROTTLE_QUOTA',
        does: 'Cost that one sign-in may run up.',
        example: '600',
        unset: '600',
      },
      {
        name: 'SANDBOX_THROTTLE_LEAK',
        does: 'Cost that is forgiven in a second.',
        example: '10',
        unset: '10',
      },
      {
        name: 'SANDBOX_THROTTLE_STATUS',
        does: '`429`, or `403` as a Canvas that a school hosts itself.',
        example: '403',
        unset: '`429`',
      },
      {
        name: 'SANDBOX_ADMIN_TOKEN',
        does: 'A token with every right, for scripts.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-admin-token`',
      },
      {
        name: 'SANDBOX_OAUTH_CLIENT_ID',
        does: 'The number of its developer key.',
        example: '10',
        unset: '10',
      },
      {
        name: 'SANDBOX_OAUTH_CLIENT_SECRET',
        does: 'The secret of its developer key.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-client-secret`',
      },
      {
        name: 'SANDBOX_OAUTH_REDIRECT_HOSTS',
        does: 'Hosts beside this machine to which sign-in may return.',
        example: 'lms-admin.example.edu',
        unset: none,
      },
      {
        name: 'SANDBOX_ZOOM_LIMITS',
        does: '`off`: its Zoom takes any number of calls.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_ZOOM_CLIENT_SECRET',
        does: 'The secret of the app of its Zoom.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-zoom-secret`',
      },
      {
        name: 'SANDBOX_QUALTRICS_LIMITS',
        does: '`off`: its Qualtrics takes any number of calls.',
        example: 'off',
        unset: '`on`',
      },
      {
        name: 'SANDBOX_QUALTRICS_TOKEN',
        does: 'The token of its Qualtrics.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-qualtrics-token`',
      },
      {
        name: 'SANDBOX_QUALTRICS_CLIENT_SECRET',
        does: 'The secret of the app of its Qualtrics.',
        example: 'a-text-of-at-least-8-characters',
        unset: '`sandbox-qualtrics-secret`',
      },
    ],
  },
];
