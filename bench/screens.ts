/** Work of the browser: scripts that it loads, and a keystroke in the search of a long table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { browserLaunch } from '../e2e/support/browser.ts';
import { serveTable } from '../e2e/support/table-page.ts';
import { type Figure, median } from './support.ts';

const root = process.cwd();

/** Measures the gzipped scripts of the welcome screen, and of the first tool after sign-in. */
export async function script(): Promise<Figure[]> {
  const { default: checks } = (await import(join(root, '.size-limit.mjs'))) as {
    default: { name: string; path: string[]; limit: string }[];
  };
  return checks.map(({ name, path, limit }) => {
    const bytes = path.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(root, file)), { level: 9 }).length,
      0,
    );
    return {
      work: name,
      reached: `${(bytes / 1000).toFixed(1)} kB gzip in ${path.length} files`,
      target: `under ${limit}`,
      met: bytes < Number.parseInt(limit, 10) * 1000,
    };
  });
}

/** Measures keystrokes in the search of a table with 20,000 courses, then scrolling through the table. */
export async function search(): Promise<Figure[]> {
  const table = await serveTable();
  const browser = await chromium.launch(await browserLaunch());
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(table.url);
    const field = page.getByRole('searchbox');
    await field.waitFor();
    await field.focus();
    const times: { there: number; painted: number }[] = [];
    for (const key of 'fin10'.repeat(8)) {
      times.push(
        await page.evaluate(async (typed) => {
          const input = document.activeElement as HTMLInputElement;
          const value = input.value.length >= 5 ? typed : input.value + typed;
          const { expected } = window as unknown as { expected: (text: string) => number };
          const rows = String(expected(value) + 1);
          const started = performance.now();
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
          input.dispatchEvent(new Event('input', { bubbles: true }));
          // Ready: the table contains the rows for the new text, each in its position.
          await new Promise<void>((resolve, reject) => {
            const table = document.querySelector('[aria-rowcount]');
            const here = () => table?.getAttribute('aria-rowcount') === rows;
            if (table === null || here()) return resolve();
            const late = setTimeout(() => reject(new Error(`no rows for ${value}`)), 5_000);
            new MutationObserver((_, observer) => {
              if (!here()) return;
              observer.disconnect();
              clearTimeout(late);
              resolve();
            }).observe(table, { attributes: true });
          });
          document.querySelector('[aria-rowcount] tbody')?.getBoundingClientRect();
          const there = performance.now() - started;
          // Painted: a frame has been drawn after that. The screen draws a frame every 16.7 ms in any case.
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return { there, painted: performance.now() - started };
        }, key),
      );
    }
    const longest = await page.evaluate(async () => {
      const input = document.activeElement as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '');
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      let worst = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) worst = Math.max(worst, entry.duration);
      }).observe({ type: 'longtask' });
      const region = [...document.querySelectorAll<HTMLElement>('*')].find(
        (element) =>
          element.scrollHeight > element.clientHeight + 200 &&
          getComputedStyle(element).overflowY !== 'visible',
      );
      if (!region) throw new Error('nothing scrolls');
      for (let step = 0; step < 150; step += 1) {
        region.scrollTop += step % 10 === 9 ? region.scrollHeight / 20 : 400;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      return worst;
    });
    const keystroke = (to: string, all: readonly number[]): Figure => ({
      work: `search keystroke to ${to}, 20,000 courses in the table`,
      reached: `${median(all).toFixed(1)} ms at the median, ${Math.max(...all).toFixed(1)} ms at worst of ${all.length}`,
      target: 'under 16 ms',
      met: median(all) < 16,
    });
    return [
      keystroke(
        'rows',
        times.map(({ there }) => there),
      ),
      keystroke(
        'painted rows, including the wait for the next frame',
        times.map(({ painted }) => painted),
      ),
      {
        work: 'longest task while scrolling through this table',
        reached: longest === 0 ? 'none over 50 ms' : `${longest.toFixed(0)} ms`,
        target: 'none over 100 ms',
        met: longest <= 100,
      },
    ];
  } finally {
    await browser.close();
    table.close();
  }
}
