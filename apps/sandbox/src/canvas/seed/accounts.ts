/** Accounts, terms and roles of the practice school. */

import { CUSTOM_ROLES, type Office, PROGRAMMES, SCHOOL, TERMS, TIME_ZONE } from '../../seed/school.ts';
import type { EnrollmentType, Role } from '../store/model.ts';
import type { World } from '../store/world.ts';

const BUILT_IN_ROLES: readonly [id: number, name: string, label: string, base: string][] = [
  [1, 'AccountAdmin', 'Account Admin', 'AccountMembership'],
  [2, 'AccountMembership', 'Account Membership', 'AccountMembership'],
  [3, 'StudentEnrollment', 'Student', 'StudentEnrollment'],
  [4, 'TeacherEnrollment', 'Teacher', 'TeacherEnrollment'],
  [5, 'TaEnrollment', 'TA', 'TaEnrollment'],
  [6, 'DesignerEnrollment', 'Designer', 'DesignerEnrollment'],
  [7, 'ObserverEnrollment', 'Observer', 'ObserverEnrollment'],
  [8, 'NoPermissions', 'No Permissions', 'NoPermissions'],
];

/** The enrolment type that each role gives, by role ID. */
export const TYPE_OF_ROLE: ReadonlyMap<number, EnrollmentType> = new Map(
  [
    ...BUILT_IN_ROLES.map(([id, , , base]) => [id, base] as const),
    ...CUSTOM_ROLES.map((role) => [role.id, role.base] as const),
  ].flatMap(([id, base]) => (base.endsWith('Enrollment') ? [[id, base as EnrollmentType] as const] : [])),
);

export function seedAccounts(world: World): void {
  addAccount(world, { id: 1, name: SCHOOL }, null, null);
  world.authenticationProviders.add({ auth_type: 'canvas', workflow_state: 'active' });
  for (const programme of PROGRAMMES) {
    addAccount(world, programme, 1, `${programme.code}-PROGRAMME`);
    for (const office of programme.offices) addOffice(world, office, programme.id, programme.code);
  }
  for (const term of TERMS) {
    world.terms.add({
      id: term.id,
      name: term.name,
      workflow_state: 'active',
      start_at: term.start && `${term.start}T00:00:00Z`,
      end_at: term.end && `${term.end}T23:59:59Z`,
      sis_source_id: term.sis,
      integration_id: null,
      overrides: {},
      default_term: term.id === 1,
      sis_batch_id: null,
      stuck_sis_fields: null,
    });
  }
  for (const [id, name, label, base] of BUILT_IN_ROLES) {
    addRole(world, {
      id,
      name,
      label,
      base_role_type: base as Role['base_role_type'],
      workflow_state: 'built_in',
    });
  }
  for (const { id, name, label, base, state } of CUSTOM_ROLES) {
    const base_role_type = base as Role['base_role_type'];
    addRole(world, { id, name, label, base_role_type, workflow_state: state ?? 'active' });
  }
}

function addOffice(world: World, office: Office, parent: number, code: string): void {
  // A few offices were created by hand in Canvas and have no SIS ID.
  addAccount(world, office, parent, office.id % 10 === 3 ? null : `${code}-OFFICE-${office.id}`);
  for (const child of office.children ?? []) addOffice(world, child, office.id, code);
}

function addAccount(world: World, office: Office, parent: number | null, sis: string | null): void {
  world.accounts.add({
    id: office.id,
    name: office.name,
    workflow_state: 'active',
    parent_account_id: parent,
    sis_source_id: sis,
    integration_id: null,
    default_time_zone: office.name.includes('Singapore') ? 'Asia/Singapore' : TIME_ZONE,
    allow_sis_import: true,
    sis_batch_id: null,
    stuck_sis_fields: null,
  });
}

function addRole(
  world: World,
  role: Pick<Role, 'id' | 'name' | 'label' | 'base_role_type' | 'workflow_state'>,
): void {
  world.roles.add({ ...role, account_id: role.workflow_state === 'built_in' ? null : 1 });
}
