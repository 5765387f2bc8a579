/** `npm run bench`: compares LMS Admin with a common alternative and with the theoretical limit, in one run, as ratios. */

import { access } from './access.ts';
import { awards } from './awards.ts';
import { throughServer, writers } from './csv.ts';
import { directory } from './directory.ts';
import { groupMembers } from './groups.ts';
import { images } from './images.ts';
import { jobWork } from './jobs.ts';
import { courseList, listed, lookups, sisIds } from './lms-work.ts';
import { invoke, start } from './passing.ts';
import { sandbox } from './sandbox.ts';
import { script, search } from './screens.ts';
import { effect } from './sis-effect.ts';
import { checking, uploading } from './sis-files.ts';
import { studentExport } from './student-export.ts';
import type { Figure } from './support.ts';
import { zoom } from './zoom.ts';

const ALL: Record<string, () => Promise<Figure[] | Figure>> = {
  lookups,
  listed,
  directory,
  ids: sisIds,
  courses: courseList,
  groups: groupMembers,
  csv: writers,
  rows: throughServer,
  check: checking,
  upload: uploading,
  effect,
  export: studentExport,
  zoom,
  awards,
  images,
  invoke,
  jobs: jobWork,
  access,
  script,
  start,
  search,
  sandbox,
};

const wanted = process.argv.slice(2);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(ALL)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`… ${name}`);
  figures.push(...[await measure()].flat());
}

console.log('| work | reached | target | |');
console.log('|---|---|---|---|');
for (const { work, reached, target, met, note } of figures) {
  console.log(`| ${work} | ${reached}${note ? `; ${note}` : ''} | ${target} | ${met ? 'met' : 'MISSED'} |`);
}
