/** Rows of people to be created, as a source of an import. */
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import { requireTool } from '../access/rights.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { RowSource } from '../imports/sources.ts';
import type { Config } from '../platform/config.ts';
import { evaluateNewPeople } from './existing.ts';
import { checkNewUsers } from './new-users.ts';
import type { People } from './people.ts';
import { newUserFates } from './user-fates.ts';

const TOOL = 'create-users';

export function userRows(services: { config: Config; people: People; canvas: CanvasClient }): RowSource {
  return {
    takes: (header) => sisTableFor(header)?.kind === 'user',
    async check(admin, csv, { signal = new AbortController().signal }) {
      requireTool(admin, ...SUBMIT_TOOLS['user-rows']);
      const { rows, text } = await checkNewUsers(services, admin, csv, signal);
      return {
        tool: TOOL,
        label: `Create ${rows} ${rows === 1 ? 'user' : 'users'}`,
        rows,
        texts: [text],
      };
    },
    async recheck(admin, rows, signal) {
      requireTool(admin, ...SUBMIT_TOOLS['user-rows']);
      return evaluateNewPeople(services.people, admin, rows, { signal, integration: true });
    },
    // Rows of SIS Import may change existing people, whose outcome cannot be found this way.
    fates: async (token, tool, rows, signal) =>
      tool === TOOL ? newUserFates(services.canvas, token, rows, signal) : null,
  };
}
