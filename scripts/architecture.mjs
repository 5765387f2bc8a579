/** Checks that imports run one way: app → tools → components → api → contract → domain, and the same on the server. */
import { cruise } from 'dependency-cruiser';
import options from '../.dependency-cruiser.mjs';
import { root } from './tools.mjs';

process.chdir(root);
const { output } = await cruise(['packages', 'apps/server/src', 'apps/console/src', 'apps/sandbox/src'], {
  ...options.options,
  ruleSet: { forbidden: options.forbidden },
  validate: true,
});
const { error, totalCruised, totalDependenciesCruised } = output.summary;
for (const { rule, from, to } of output.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
// A parser that cannot read the sources would pass with nothing read.
if (totalCruised < 100 || totalDependenciesCruised < 200) {
  console.error(
    `Only ${totalCruised} modules and ${totalDependenciesCruised} imports were read; the check is not working.`,
  );
  process.exit(1);
}
if (error > 0) process.exit(1);
console.log(`${totalCruised} modules, ${totalDependenciesCruised} imports, all in the right direction`);
