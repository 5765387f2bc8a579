/** The browser for the tests: CHROMIUM_PATH, else an installed one, else the one from an npm package. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function installed(): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

/**
 * Returns launch options with the browser's path; the flags allow for a closed network and the root user.
 * @param more additional flags
 */
export async function browserLaunch(more: readonly string[] = []): Promise<LaunchOptions> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    ...more,
  ];
  const found = process.env.CHROMIUM_PATH || installed();
  if (found) return { executablePath: found, args };
  const { default: packaged } = await import('@sparticuz/chromium');
  return {
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => arg !== '--single-process'), ...args],
  };
}
