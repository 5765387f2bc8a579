/** `S3_…`: with incomplete settings the server does not start, and says which are missing. */
import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';

const WHOLE = {
  S3_ENDPOINT: 'https://s3.example.edu',
  S3_BUCKET: 'images',
  S3_ACCESS_KEY_ID: 'AKEY',
  S3_SECRET_ACCESS_KEY: 'the-secret-of-it',
};

function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

it('no settings mean the database; complete settings give a bucket, a default region, and a base address without a final slash', () => {
  expect(loadConfig({}).images).toEqual({ s3: null, old: null, publicUrl: null });
  expect(loadConfig({ ...WHOLE, S3_PUBLIC_URL: 'https://img.example.edu/a/' }).images).toEqual({
    s3: {
      endpoint: 'https://s3.example.edu',
      region: 'us-east-1',
      bucket: 'images',
      accessKeyId: 'AKEY',
      secretAccessKey: 'the-secret-of-it',
      timeoutMs: 30_000,
    },
    old: null,
    publicUrl: 'https://img.example.edu/a',
  });
  const { S3_ENDPOINT: _, ...aws } = WHOLE;
  expect(loadConfig({ ...aws, S3_REGION: 'eu-west-3' }).images.s3).toMatchObject({
    endpoint: null,
    region: 'eu-west-3',
  });
});

it('incomplete settings prevent the start, and the missing ones are named; values are not repeated', () => {
  for (const name of Object.keys(WHOLE)) {
    const rest = Object.fromEntries(Object.entries(WHOLE).filter(([key]) => key !== name));
    expect(problemsOf(rest)).toContain(`${name} is missing: it should be`);
    expect(problemsOf(rest)).not.toContain('the-secret-of-it');
    const old = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key.replace('S3_', 'S3_OLD_'), value]),
    );
    expect(problemsOf(old)).toContain(`${name.replace('S3_', 'S3_OLD_')} is missing`);
  }
  expect(problemsOf({ S3_PUBLIC_URL: 'https://img.example.edu' })).toContain('S3_BUCKET is missing');
});

it.each([
  ['S3_ENDPOINT', 'http://s3.example.edu'],
  ['S3_ENDPOINT', 'https://s3.example.edu/bucket'],
  ['S3_ENDPOINT', 'https://user:word@s3.example.edu'],
  ['S3_BUCKET', 'Not a bucket'],
  ['S3_SECRET_ACCESS_KEY', 'short'],
  ['S3_PUBLIC_URL', 'http://img.example.edu'],
  ['S3_PUBLIC_URL', 'https://img.example.edu/?x'],
  ['S3_TIMEOUT_MS', '0'],
])('%s: %s is rejected, and not repeated', (name, value) => {
  const text = problemsOf({ ...WHOLE, [name]: value });
  expect(text).toContain(`${name} should be`);
  expect(text).not.toContain(value.length > 3 ? value : 'Infinity');
});
