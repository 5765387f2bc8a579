/** Production packages: licences and install scripts. */
import { describe, expect, it } from 'vitest';
import { checkLicences } from '../licences.mjs';
import { importedPackages, packageFolder, withNeeded } from '../packages.mjs';

const check = (one: Record<string, unknown>, manifest: Record<string, unknown> | null = null) =>
  checkLicences(
    { packages: { '': {}, 'node_modules/a/node_modules/@x/b': { version: '1.0.0', ...one } } },
    () => manifest,
  );

describe('licences', () => {
  it.each([{ license: 'MIT' }, { license: '(GPL-3.0 OR MIT)' }, { license: 'MIT AND ISC' }])(
    '%j is allowed',
    (one) => {
      expect(check(one)).toEqual({ lines: [expect.stringMatching(/^@x\/b 1\.0\.0: /)], problems: [] });
    },
  );

  it.each([
    { license: 'GPL-3.0' },
    {},
    { license: '(MIT AND GPL-3.0)' },
    { license: 'MIT', hasInstallScript: true },
  ])('%j is not allowed', (one) => {
    expect(check(one).problems).toHaveLength(1);
  });

  it('a licence allowed for one package is not allowed for any other', () => {
    const license = 'LGPL-3.0-or-later';
    const named = (name: string) =>
      checkLicences({ packages: { [`node_modules/${name}`]: { version: '1.0.0', license } } }, () => null);
    expect(named('@img/sharp-libvips-linux-x64').problems).toEqual([]);
    expect(named('@img/other').problems).toHaveLength(1);
    expect(named('sharp').problems).toHaveLength(1);
  });

  it('the package’s own manifest counts', () => {
    expect(check({ license: 'MIT' }, { license: 'AGPL-3.0' }).problems).toHaveLength(1);
    expect(
      check({ license: 'MIT' }, { license: 'MIT', scripts: { postinstall: 'node x' } }).problems,
    ).toHaveLength(1);
    expect(check({ license: 'MIT' }, { license: { type: 'MIT' } }).problems).toEqual([]);
  });

  it('compiled-in packages count with everything they need, although they are installed as development tools', () => {
    const needs = { dev: true, version: '1.0.0', license: 'GPL-3.0' };
    const lock = {
      packages: {
        '': { devDependencies: { a: '1', c: '1' } },
        'node_modules/a': {
          ...needs,
          dependencies: { b: '1' },
          peerDependencies: { c: '1', d: '1' },
          peerDependenciesMeta: { c: { optional: true }, d: { optional: true } },
        },
        'node_modules/a/node_modules/b': needs,
        'node_modules/b': needs,
        'node_modules/c': needs,
        'node_modules/d': needs,
      },
    };
    const paths = withNeeded(lock, ['a', 'node:fs']);
    expect([...paths]).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
    expect(checkLicences(lock, () => null, paths).problems).toHaveLength(3);
  });

  it('the packages that sources import are found, and so is the package that a file belongs to', () => {
    expect(importedPackages()).toEqual(
      expect.arrayContaining(['fastify', '@mui/material', '@aws-sdk/client-s3']),
    );
    expect(packageFolder('/x/node_modules/a/node_modules/@q/r/z/y.js')).toBe(
      'node_modules/a/node_modules/@q/r',
    );
    expect(packageFolder('/x/apps/server/src/main.ts')).toBe(null);
  });

  it('development tools do not count; finding nothing is not a success', () => {
    expect(check({ license: 'GPL-3.0', dev: true }).problems).toEqual(['no package was found']);
  });
});
