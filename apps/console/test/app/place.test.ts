import { REDIRECT_ORDER, TOOLS, toolById } from '@lms-admin/contract/tools';
import { FLAGS, type Flag } from '@lms-admin/domain/access';
import { describe, expect, it } from 'vitest';
import { firstName, initials } from '../../src/app/shell/names.ts';
import { placeAt, tabsOf } from '../../src/app/shell/place.ts';

const nothing = { perm: 'ALL', sub_accounts: '', roles: '', section_roles: '' };
const only = (...flags: Flag[]) => ({ ...nothing, ...Object.fromEntries(flags.map((flag) => [flag, true])) });
const everything = only(...FLAGS);

describe('the screen at a path', () => {
  it('SHELL-03 a tool exists at its path only with its flag', () => {
    for (const tool of TOOLS) {
      if (tool.path === null) continue;
      expect(placeAt(tool.path, only(tool.flag))).toEqual({ kind: 'tool', tool });
      const others = FLAGS.filter((flag) => flag !== tool.flag);
      expect(placeAt(tool.path, only(...others))).toEqual({ kind: 'not-found' });
    }
  });

  it('OP-12 a flag counts only if it is exactly true', () => {
    expect(placeAt('/users', { ...nothing, user_search: 'true' })).toEqual({ kind: 'not-found' });
    expect(placeAt('/users', { ...nothing, user_search: 1 })).toEqual({ kind: 'not-found' });
  });

  it('SHELL-19 OP-19 any other path is not found, including /error_permission', () => {
    for (const path of ['/nowhere', '/error_permission', '/users/7', '/section-level-adminx', '//'])
      expect(placeAt(path, everything)).toEqual({ kind: 'not-found' });
  });

  it('OP-18 prefixes match whole segments, and exact paths allow one trailing slash', () => {
    expect(placeAt('/section-level-admin/7/sections', everything).kind).toBe('tool');
    expect(placeAt('/group-level-admin/', everything).kind).toBe('tool');
    expect(placeAt('/users/', everything).kind).toBe('tool');
  });

  it('SHELL-20 / leads to the first permitted tool in the documented order', () => {
    for (const [index, id] of REDIRECT_ORDER.entries()) {
      const later = REDIRECT_ORDER.slice(index).map((one) => toolById(one).flag);
      const place = placeAt('/', only(...later));
      // The award import needs the flag of the reports, which come first, so it is never the first tool
      // (SHELL-22).
      const to =
        toolById(id).path === '/best-teaching-award-import'
          ? '/best-teaching-award-reports'
          : toolById(id).path;
      expect(place).toEqual({ kind: 'redirect', to });
    }
  });

  it('SHELL-21 OP-16 group-level admin leads to its own screen, since the Zoom route cannot exist in that case', () => {
    const record = only('group_level_admin');
    expect(placeAt('/zoom-events-run', record)).toEqual({ kind: 'not-found' });
    expect(placeAt('/', record)).toEqual({ kind: 'redirect', to: '/group-level-admin' });
  });

  it('SHELL-22 SHELL-23 PERM-07 OP-17 a person without flags, or with recordings only, has no screen', () => {
    expect(placeAt('/', nothing)).toEqual({ kind: 'no-permission' });
    expect(placeAt('/', only('kaltura_recording_access'))).toEqual({ kind: 'no-permission' });
  });
});

describe('Activity', () => {
  const id = '5f0c6a5e-3c1f-4c52-9a34-1f2ab7a0c001';

  it('exists for anyone who has a tool with a screen, and shows a job by its id', () => {
    expect(placeAt('/activity', everything)).toEqual({ kind: 'activity', job: null });
    expect(placeAt('/activity/', only('user_search'))).toEqual({ kind: 'activity', job: null });
    expect(placeAt(`/activity/${id}`, everything)).toEqual({ kind: 'activity', job: id });
  });

  it('does not exist without a tool, or at an address that does not name a job', () => {
    expect(placeAt('/activity', nothing)).toEqual({ kind: 'not-found' });
    expect(placeAt(`/activity/${id}`, only('kaltura_recording_access'))).toEqual({ kind: 'not-found' });
    for (const path of ['/activity/7', `/activity/${id}/items`, '/activityx'])
      expect(placeAt(path, everything)).toEqual({ kind: 'not-found' });
  });
});

describe('tabs', () => {
  it('SHELL-05 to SHELL-17 follow the order of the registry, one for each flag', () => {
    const withTab = TOOLS.filter(({ tab }) => tab !== null);
    expect(tabsOf(everything, 'https://x.example').map(({ id }) => id)).toEqual(withTab.map(({ id }) => id));
    for (const { flag } of withTab)
      expect(tabsOf(only(flag), 'https://x.example')).toEqual(withTab.filter((one) => one.flag === flag));
    expect(tabsOf(only('best_teaching_reports'), null).map(({ id }) => id)).toEqual(['award-reports']);
    expect(tabsOf(nothing, 'https://x.example')).toEqual([]);
  });

  it('OP-15 the recordings tab is hidden if its address is not set', () => {
    expect(tabsOf(only('kaltura_recording_access'), null)).toEqual([]);
    expect(tabsOf(only('kaltura_recording_access'), 'https://x.example')).toHaveLength(1);
  });
});

describe('names', () => {
  it("SHELL-29 include the person's first name, if there is one", () => {
    expect(firstName('Alma Reyes')).toBe('Alma');
    expect(firstName('Reyes, Alma Maria')).toBe('Alma');
    expect(firstName('Alma')).toBe('Alma');
    expect(firstName('  ')).toBeNull();
  });

  it('are replaced by initials if the person has no picture', () => {
    expect(initials('Alma Reyes')).toBe('AR');
    expect(initials('Reyes, Alma')).toBe('AR');
    expect(initials('Jean-Pierre de la Cruz')).toBe('JC');
    expect(initials('')).toBe('');
  });
});
