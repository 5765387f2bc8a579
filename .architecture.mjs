/** Which folder may import which (docs/architecture.md). Paths are relative to the project; the first match decides. */
const PACKAGES = 'packages/(contract|domain)/src/';

export default [
  {
    name: 'the rules know nothing else',
    from: 'packages/domain/src/',
    may: ['packages/domain/src/'],
    modules: [],
  },
  { name: 'contract → domain', from: 'packages/contract/src/', may: [PACKAGES], modules: ['zod'] },
  {
    name: 'platform and canvas know no tool',
    from: 'apps/server/src/(platform|canvas)/',
    may: ['apps/server/src/(platform|canvas)/', PACKAGES],
  },
  {
    name: 'only canvas, auth and platform open connections',
    from: 'apps/server/src/',
    may: ['apps/server/src/', PACKAGES],
    not: ['undici', 'openid-client', 'pg', '@electric-sql/pglite'],
    except: 'apps/server/src/auth/',
  },
  { name: 'the sandbox knows nothing of the console', from: 'apps/sandbox/src/', may: ['apps/sandbox/src/'] },
  {
    name: 'api → contract → domain',
    from: 'apps/console/src/api/',
    may: ['apps/console/src/api/', PACKAGES],
  },
  {
    name: 'components → api → contract → domain',
    from: 'apps/console/src/components/',
    may: ['apps/console/src/(components|api)/', PACKAGES],
  },
  {
    name: 'tools do not import each other, nor the app',
    from: 'apps/console/src/tools/([^/]+)/',
    may: ['apps/console/src/tools/$1/', 'apps/console/src/(components|api)/', PACKAGES],
  },
  { name: 'the console knows no other app', from: 'apps/console/src/', may: ['apps/console/src/', PACKAGES] },
];
