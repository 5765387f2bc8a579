/** Plans as a source of imports: each kind of plan is a strategy of its tool; the shared part is here. */
import type { PlanSource, PlanSources } from '../imports/sources.ts';
import type { Db } from '../platform/database.ts';
import { noSuchPlan, readPlanPlaces, toolOfPlan } from './store.ts';
import { undoOfPlan } from './undo.ts';

/** @param strategies one for each tool that makes plans */
export function planSources(db: Db, strategies: readonly PlanSource[]): PlanSources {
  function of(tool: string): PlanSource {
    const source = strategies.find(({ tools }) => tools.some((one) => one === tool));
    if (!source) throw new Error(`no plans of ${tool}`);
    return source;
  }
  return {
    all: strategies,
    of,
    async check(admin, id) {
      const tool = await toolOfPlan(db, admin.login, id);
      if (tool === null) throw noSuchPlan();
      const plan = await of(tool).check(admin, id);
      return { ...plan, undo: await undoOfPlan(db, admin.login, id) };
    },
    courses: (id) => readPlanPlaces(db, id),
  };
}
