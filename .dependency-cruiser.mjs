/** Which folder may import which (see docs/architecture.md). */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^(packages|apps)/', pathNot: allowed },
});

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('domain-is-pure', '^packages/domain/src', '^packages/domain/src', 'rules know nothing else'),
    {
      name: 'domain-without-io',
      severity: 'error',
      from: { path: '^packages/domain/src' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    only('contract', '^packages/contract/src', '^packages/(contract|domain)/src', 'contract → domain'),
    only(
      'server',
      '^apps/server/src',
      '^(apps/server|packages/(contract|domain))/src',
      'the server knows no other app',
    ),
    only('sandbox', '^apps/sandbox/src', '^apps/sandbox/src', 'the sandbox knows nothing of the console'),
    only(
      'console',
      '^apps/console/src',
      '^(apps/console|packages/(contract|domain))/src',
      'the console knows no other app',
    ),
    only(
      'console-api',
      '^apps/console/src/api',
      '^(apps/console/src/api|packages)/',
      'api → contract → domain',
    ),
    only(
      'console-components',
      '^apps/console/src/components',
      '^(apps/console/src/(components|api)|packages)/',
      'components → api → contract → domain',
    ),
    only(
      'console-tools',
      '^apps/console/src/tools/([^/]+)/',
      '^(apps/console/src/(components|api)|apps/console/src/tools/$1|packages)/',
      'tools do not import each other, nor the app',
    ),
    {
      name: 'outside-systems',
      severity: 'error',
      comment: 'only canvas/, auth/ and platform/ open connections',
      from: { path: '^apps/server/src', pathNot: '^apps/server/src/(canvas|auth|platform)/' },
      to: { path: '^(node_modules/)?(undici|openid-client|pg|@electric-sql/pglite)(/|$)' },
    },
    {
      name: 'shared-server-code-knows-no-tool',
      severity: 'error',
      from: { path: '^apps/server/src/(platform|canvas)/' },
      to: { path: '^apps/server/src/(enrollments|imports|lms|auth)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
