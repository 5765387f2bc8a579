/** Reporter of Vitest for `npm test`: counts of each project and times of its files, as JSON in the file named by TEST_PARTS. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Number of characters of a message that show what was expected. */
const MESSAGE = 400;

export default class PartsReporter {
  onTestRunEnd(modules, errors) {
    const parts = {};
    for (const module of modules) {
      parts[module.project.name] ??= { passed: 0, failed: 0, seconds: 0, files: [], failures: [] };
      const part = parts[module.project.name];
      const path = relative(process.cwd(), module.moduleId);
      const note = (name, found) =>
        part.failures.push(`${path} › ${name}: ${(found?.[0]?.message ?? '').slice(0, MESSAGE)}`);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') part.passed++;
        if (state === 'failed') {
          part.failed++;
          note(test.fullName, test.result().errors);
        }
      }
      // A file that cannot be loaded, or a hook that fails, is not a test but still a failure.
      if (!module.ok() && module.errors().length > 0) {
        part.failed++;
        note('the file', module.errors());
      }
      const { duration, collectDuration } = module.diagnostic();
      const seconds = (duration + collectDuration) / 1000;
      part.seconds += seconds;
      part.files.push({ file: path, seconds });
    }
    writeFileSync(
      process.env.TEST_PARTS ?? 'test-results/parts.json',
      JSON.stringify({ parts, errors: errors.length }),
    );
  }
}
