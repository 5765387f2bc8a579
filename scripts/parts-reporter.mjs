/** Reporter of Vitest for `npm test`: what each project counted, and its slowest files, as JSON in the file that TEST_PARTS names. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const SLOWEST = 8;

export default class PartsReporter {
  onTestRunEnd(modules, errors) {
    const parts = {};
    for (const module of modules) {
      parts[module.project.name] ??= { passed: 0, failed: 0, seconds: 0, slowest: [] };
      const part = parts[module.project.name];
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') part.passed++;
        if (state === 'failed') part.failed++;
      }
      // A file that cannot be loaded, or a hook that fails, is no test but a failure all the same.
      if (!module.ok() && module.errors().length > 0) part.failed++;
      const { duration, collectDuration } = module.diagnostic();
      const seconds = (duration + collectDuration) / 1000;
      part.seconds += seconds;
      part.slowest.push({ file: relative(process.cwd(), module.moduleId), seconds });
    }
    for (const part of Object.values(parts)) {
      part.slowest = part.slowest.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    }
    writeFileSync(
      process.env.TEST_PARTS ?? 'test-results/parts.json',
      JSON.stringify({ parts, errors: errors.length }),
    );
  }
}
