/** Scripts that the browser loads before it can show the first screen: the entry, its imports and the first tool's screen. */
import { readFileSync } from 'node:fs';

const dist = 'apps/console/dist/';
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));

/** Files of these chunks and everything that they import statically. */
function scripts(...keys) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) visit(next);
  };
  keys.forEach(visit);
  return [...seen].map((key) => dist + manifest[key].file).filter((file) => file.endsWith('.js'));
}

const find = (part) => {
  const key = Object.keys(manifest).find((name) => name.includes(part));
  if (!key) throw new Error(`no chunk for ${part} in the build`);
  return key;
};

export default [
  { name: 'script for the welcome screen', path: scripts('index.html'), limit: '170 kB', gzip: true },
  {
    name: 'script for the first tool, signed in',
    path: scripts('index.html', find('app/SignedIn.tsx'), find('course-enrollment/CourseEnrollment.tsx')),
    limit: '216 kB',
    gzip: true,
  },
];
