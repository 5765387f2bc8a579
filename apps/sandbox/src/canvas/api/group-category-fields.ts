/** Reads a group category from a request: its settings, its groups, and the errors in them (reference §6.10). */

import { isTrue, type Params, text } from '../../http/params.ts';
import { ApiError } from '../http/errors.ts';
import { haveCommonSection, isReservedName } from '../store/group-rules.ts';
import type { GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { codeOf, contextType, type Place } from './group-places.ts';

export type CategorySettings = Pick<GroupCategory, 'name' | 'self_signup' | 'auto_leader' | 'group_limit'>;

const LONGEST_NAME = 250;
const MOST_GROUPS = 200;

/**
 * Reads the settings of a category. All except the name are reset if the request does not name them.
 * @param self the category to be changed; null for a new one
 * @throws ApiError 400 with the errors in all settings
 */
export function settingsFor(
  world: World,
  place: Place,
  params: Params,
  self: GroupCategory | null,
): CategorySettings {
  const name = text(params, 'name')?.trim() ?? self?.name ?? '';
  const limit = text(params, 'group_limit') || null;
  const settings = {
    name,
    self_signup: signupOf(params),
    auto_leader: leaderOf(params),
    group_limit: limit === null ? null : Number.parseInt(limit, 10) || 0,
  };
  const errors: Record<string, object[]> = {};
  const add = (attribute: string, message: string | null) => {
    if (message !== null) errors[attribute] = [{ attribute, type: message, message }];
  };
  if (self?.name !== name || name === '') add('name', nameError(world, place, name, self));
  if (settings.group_limit !== null && settings.group_limit < 1) add('group_limit', 'Must be greater than 1');
  if (settings.self_signup !== (self?.self_signup ?? null)) {
    if (settings.self_signup !== null && !('course_code' in place) && self?.role !== 'communities')
      add('enable_self_signup', 'Self-signup may only be enabled for course groups or communities');
    else if (settings.self_signup === 'restricted' && self && hasMixedGroup(world, self))
      add(
        'restrict_self_signup',
        "Can't restrict self-signup while a mixed-section group exists in the category",
      );
  }
  if (Object.keys(errors).length > 0) throw new ApiError(400, { errors });
  return settings;
}

/** Reads the number of groups in a request, and the time at which their members are chosen. Accounts create none. */
export function groupsFor(
  place: Place,
  params: Params,
): { count: number; distribution: 'none' | 'now' | 'later' } {
  if (!('course_code' in place)) return { count: 0, distribution: 'none' };
  const created = count(params, 'create_group_count');
  // People who choose their own groups are not distributed.
  if (signupOf(params) !== null) return { count: created, distribution: 'none' };
  if (text(params, 'split_groups') === '0') return { count: 0, distribution: 'none' };
  const split = count(params, 'split_group_count');
  // Only this number distributes the students; the other one creates empty groups.
  if (split === 0) return { count: created, distribution: 'none' };
  return { count: split, distribution: isTrue(params['assign_async']) ? 'later' : 'now' };
}

/**
 * Returns the name of a category's own groups, without their number: "Project Groups" has the group "Project
 * Group 1".
 */
export function groupName(category: string): string {
  const [, before = '', last = ''] = /^(.*?)([^\s]*)$/s.exec(category) ?? [];
  return before + singular(last);
}

/** English singulars of words that end in s; other plurals stay as they are. */
const SINGULARS: readonly (readonly [RegExp, string])[] = [
  [/(ss|news|series|species|status|alias|axis|virus|bus|gas)$/i, '$1'],
  [/(status|alias|virus|bus)es$/i, '$1'],
  [/(analy|ba|diagno|the|progno|synop|parenthe|hypothe)ses$/i, '$1sis'],
  [/(cri|ax|test)es$/i, '$1is'],
  [/(quiz)zes$/i, '$1'],
  [/(movie|shoe)s$/i, '$1'],
  [/([^aeiouy]|qu)ies$/i, '$1y'],
  [/([lr])ves$/i, '$1f'],
  [/(x|ch|ss|sh|o)es$/i, '$1'],
  [/s$/i, ''],
];

function singular(word: string): string {
  const rule = SINGULARS.find(([plural]) => plural.test(word));
  return rule ? word.replace(rule[0], rule[1]) : word;
}

function signupOf(params: Params): GroupCategory['self_signup'] {
  const given = text(params, 'self_signup')?.toLowerCase();
  if (given === 'enabled' || given === 'restricted') return given;
  if (!isTrue(params['enable_self_signup'])) return null;
  return isTrue(params['restrict_self_signup']) ? 'restricted' : 'enabled';
}

function leaderOf(params: Params): GroupCategory['auto_leader'] {
  const enabled = text(params, 'enable_auto_leader');
  if (enabled !== null && !isTrue(enabled)) return null;
  const given = text(params, enabled === null ? 'auto_leader' : 'auto_leader_type')?.toLowerCase();
  return given === 'first' || given === 'random' ? given : null;
}

function count(params: Params, name: string): number {
  const given = Number.parseInt(text(params, name) ?? '', 10);
  return given > 0 ? Math.min(given, MOST_GROUPS) : 0;
}

function nameError(world: World, place: Place, name: string, self: GroupCategory | null): string | null {
  if (name === '') return 'Name is required';
  if (isReservedName(name, contextType(place))) return `${name} is a reserved name.`;
  const taken = world.groupCategories.by.context
    .get(codeOf(place))
    .some((other) => other !== self && other.deleted_at === null && other.name === name);
  if (taken) return `${name} is already in use.`;
  return name.length > LONGEST_NAME ? 'Enter a shorter category name' : null;
}

/** Returns whether the members of one of the groups do not all share a section. */
function hasMixedGroup(world: World, category: GroupCategory): boolean {
  return world.groups.by.category
    .get(category.id)
    .some((group) => group.workflow_state === 'available' && !haveCommonSection(world, group, []));
}
