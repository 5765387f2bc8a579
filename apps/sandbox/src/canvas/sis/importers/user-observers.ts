import { LIVE } from '../../store/enrollment-rules.ts';
import type { UserObserver } from '../../store/model.ts';
import { messages } from '../messages.ts';
import { deleteEnrollment, followStudent } from './effects.ts';
import type { Importer, Work } from './work.ts';

const COLUMNS = ['observer_id', 'student_id', 'status'] as const;
const say = messages.userObserver;

/** User observers (§9.7). */
export const userObserverImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'user_observer',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.observer_id) return say.noObserver;
    if (!row.student_id) return say.noStudent;
    if (row.observer_id === row.student_id) return say.yourself(row.student_id);
    if (!/^(?:active|deleted)$/i.test(row.status ?? '')) return say.badStatus(row.status);
    return undefined;
  },

  apply(row, work) {
    const { userObservers } = work.world;
    const observer = liveUser(row.observer_id, work);
    if (observer === undefined) return say.unknownObserver(row.observer_id);
    const student = liveUser(row.student_id, work);
    if (student === undefined) return say.unknownStudent(row.student_id);
    if (observer === student) return say.yourself(row.student_id);
    const link = userObservers.by.student.get(student).find((each) => each.observer_id === observer);
    if (row.status?.toLowerCase() === 'deleted') {
      if (link?.workflow_state !== 'active') return say.notThere(row.observer_id, row.student_id);
      work.update(userObservers, 'UserObserver', link, { workflow_state: 'deleted' });
      leave(link, work);
    } else {
      if (link) work.update(userObservers, 'UserObserver', link, { workflow_state: 'active' });
      else
        work.create(userObservers, 'UserObserver', {
          user_id: student,
          observer_id: observer,
          workflow_state: 'active',
          sis_batch_id: null,
        });
      for (const enrollment of work.world.enrollments.by.user.get(student))
        if (LIVE.has(enrollment.workflow_state)) followStudent(work, enrollment);
    }
    return true;
  },
};

function liveUser(sisId: string | null, { world }: Work): number | undefined {
  const login = world.pseudonyms.by.sis.get(sisId);
  return login && login.workflow_state !== 'deleted' ? login.user_id : undefined;
}

/** Removes the observer from the courses they joined for this student. */
function leave(link: UserObserver, work: Work): void {
  for (const enrollment of work.world.enrollments.by.user.get(link.observer_id))
    if (enrollment.associated_user_id === link.user_id && enrollment.workflow_state !== 'deleted')
      deleteEnrollment(work, enrollment);
}
