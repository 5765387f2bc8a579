/**
 * `npm run guide-pictures`: retakes the pictures of the guide by running the tests that follow its examples; with a
 * word, only the tests with that word in their title. The sources of each screen are recorded with its pictures, so
 * that a test notices pictures that are older than their screen.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { bin, ensureBuilt, root, run } from './tools.mjs';

export const PICTURES = join(root, 'docs/guide/images');
/** For each picture, the checksum of its screen's sources when it was taken. */
export const NOTED = join(PICTURES, 'screens.json');

const CONSOLE = join(root, 'apps/console/src');
/** Screens that do not belong to a tool, by the beginning of their pictures' names. */
const OTHERS = { activity: 'app/activity', undo: 'components/Undo' };

/** Returns the folder of the screen in a picture, because names of pictures begin with the tool. */
function screenOf(name) {
  const tools = readdirSync(join(CONSOLE, 'tools')).map((tool) => [tool, `tools/${tool}`]);
  const screens = [...tools, ...Object.entries(OTHERS)].filter(([begin]) => name.startsWith(begin));
  const [longest] = screens.sort(([one], [other]) => other.length - one.length);
  if (!longest) throw new Error(`The name of the picture ${name} does not begin with that of a screen.`);
  return join(CONSOLE, longest[1]);
}

/** Returns the visible parts of a source: its elements and texts, without comments, types and formatting. */
function visible(path) {
  const loader = path.endsWith('x') ? 'tsx' : 'ts';
  return transformSync(readFileSync(path, 'utf8'), { loader, jsx: 'preserve', minifyWhitespace: true }).code;
}

/** Returns the checksum of the elements and texts of the screen in a picture. */
export function sumOfScreen(name) {
  const folder = screenOf(name);
  const sum = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (entry.name.endsWith('.tsx') || entry.name === 'texts.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) sum.update(`${relative(folder, file)}\n${visible(file)}\n`);
  return sum.digest('hex').slice(0, 16);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureBuilt();
  const words = process.argv.slice(2);
  process.exitCode = await run(
    bin('playwright'),
    [
      'test',
      'e2e/guide-',
      '--workers=1',
      '--reporter=line',
      ...(words.length > 0 ? ['-g', words.join(' ')] : []),
    ],
    { env: { ...process.env, UPDATE_GUIDE_IMAGES: '1', LANGUAGE: 'en_GB', LANG: 'en_GB.UTF-8' } },
  );
}
