/** Canvas's GraphQL schema (reference §17.2, end): the part that reads accounts, courses and their people. */

const PAGE = '(first: Int, after: String, last: Int, before: String)';

/** Defines the types of a connection, for each list with pages. */
const connection = (type: string): string => `
type ${type}Edge { cursor: String!, node: ${type} }
type ${type}Connection { edges: [${type}Edge], nodes: [${type}], pageInfo: PageInfo! }
`;

const CONNECTIONS = [
  'Account',
  'Course',
  'Enrollment',
  'Group',
  'GroupMembership',
  'GroupSet',
  'Section',
  'User',
];

export const SCHEMA = `
scalar DateTime
scalar URL

type Query {
  account(id: ID, sisId: String): Account
  allCourses: [Course!]
  course(id: ID, sisId: String): Course
  groupSet(id: ID, sisId: String): GroupSet
  legacyNode(_id: ID!, type: NodeType!): Node
  node(id: ID!): Node
  term(id: ID, sisId: String): Term
}

interface Node { id: ID! }

enum NodeType { Account Course Enrollment Group GroupSet Section Term User }
enum CourseWorkflowState { created claimed available completed deleted }
enum EnrollmentWorkflowState { invited creation_pending active deleted rejected completed inactive }
enum EnrollmentType {
  StudentEnrollment TeacherEnrollment TaEnrollment ObserverEnrollment DesignerEnrollment StudentViewEnrollment
}
enum SelfSignupPolicy { enabled restricted disabled }
enum AutoLeaderPolicy { random first }

input EnrollmentFilterInput {
  associatedUserIds: [ID!], states: [EnrollmentWorkflowState!], types: [EnrollmentType!], userIds: [ID!]
}
input CourseUsersFilter {
  userIds: [ID!], enrollmentStates: [EnrollmentWorkflowState!], enrollmentTypes: [EnrollmentType!]
  excludeTestStudents: Boolean, searchTerm: String
}

type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
${CONNECTIONS.map(connection).join('')}
type Account implements Node {
  id: ID!, _id: ID!, name: String, sisId: String, rootAccount: Account, workflowState: String!
  coursesConnection${PAGE}: CourseConnection
  subAccountsConnection${PAGE}: AccountConnection
  parentAccountsConnection${PAGE}: AccountConnection
}

type Term implements Node {
  id: ID!, _id: ID!, name: String, sisId: String, sisTermId: String, startAt: DateTime, endAt: DateTime
}

type Course implements Node {
  id: ID!, _id: ID!, name: String!, courseCode: String, sisId: String, state: CourseWorkflowState!
  createdAt: DateTime, updatedAt: DateTime, account: Account, term: Term
  enrollmentsConnection(
    filter: EnrollmentFilterInput, first: Int, after: String, last: Int, before: String
  ): EnrollmentConnection
  groupSets: [GroupSet!]
  groupSetsConnection${PAGE}: GroupSetConnection
  groupsConnection${PAGE}: GroupConnection
  sectionCount: Int!
  sectionsConnection${PAGE}: SectionConnection
  usersConnection(
    filter: CourseUsersFilter, first: Int, after: String, last: Int, before: String
  ): UserConnection
}

type Section implements Node {
  id: ID!, _id: ID!, name: String!, sisId: String, userCount: Int!, createdAt: DateTime, updatedAt: DateTime
}

type GroupSet implements Node {
  id: ID!, _id: ID!, name: String, sisId: String, memberLimit: Int, selfSignup: SelfSignupPolicy!
  autoLeader: AutoLeaderPolicy, nonCollaborative: Boolean, currentGroup: Group
  groups: [Group!]
  groupsConnection${PAGE}: GroupConnection
}

type Group implements Node {
  id: ID!, _id: ID!, name: String, sisId: String, membersCount: Int, nonCollaborative: Boolean
  createdAt: DateTime, updatedAt: DateTime, groupSet: GroupSet
  member(userId: ID!): GroupMembership
  membersConnection${PAGE}: GroupMembershipConnection
}

type GroupMembership { _id: ID!, state: String!, createdAt: DateTime, updatedAt: DateTime, user: User, group: Group }

type Enrollment implements Node {
  id: ID!, _id: ID, type: EnrollmentType!, state: EnrollmentWorkflowState!
  enrollmentState: EnrollmentWorkflowState!, limitPrivilegesToCourseSection: Boolean
  userId: ID, user: User, associatedUser: User, course: Course, courseSectionId: ID, section: Section
  startAt: DateTime, endAt: DateTime, lastActivityAt: DateTime, totalActivityTime: Int
  createdAt: DateTime, updatedAt: DateTime, sisImportId: ID, sisRole: String
}

type User implements Node {
  id: ID!, _id: ID!, name: String, sortableName: String, shortName: String, pronouns: String, avatarUrl: URL
  email: String, loginId: String, sisId: String, integrationId: String, createdAt: DateTime, updatedAt: DateTime
  enrollments(courseId: ID): [Enrollment!]!
  groups: [Group!]
}
`;
