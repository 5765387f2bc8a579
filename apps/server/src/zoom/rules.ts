/** Rules for requests: owners (OP-70), and events that can be merged (OP-71), as in the console. */
import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import { emailKey } from '@lms-admin/domain/emails';
import { others } from '@lms-admin/domain/zoom-decisions';
import { AppError } from '../platform/errors.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { childrenOf, mainOf } from './families.ts';
import { isLocked, unfit } from './problems.ts';
import { guestWords } from './sections-elsewhere.ts';

const { publish } = zoomCreationMessages;
const PUBLISH_MAIN = 'Publish that event again first, or choose another main event.';

export interface RequestedOwner {
  owner: string;
  co_hosts: readonly string[] | null;
  visible: boolean;
}

/** @throws AppError bad-request in the words of the form; ZoomError */
export async function requireOwner(
  zoom: ZoomClient,
  requested: RequestedOwner,
  signal?: AbortSignal,
): Promise<void> {
  const owner = emailKey(requested.owner);
  if (owner === '') throw refusal(publish.needOwner, 'Choose a Zoom Owner.');
  if (owner === emailKey(zoom.defaultOwner)) {
    if (requested.visible)
      throw refusal(publish.changeOwner, 'Choose another host before you show the link.');
  } else {
    const { owners } = await zoom.owners(signal);
    if (!owners.some(({ email }) => emailKey(email) === owner))
      throw refusal(`${requested.owner} cannot host meetings.`, 'Choose a person from the list of hosts.');
  }
  // Without the cache, which may be a minute old.
  const fresh = zoom.withoutCache();
  if (!(await fresh.user(owner, signal))?.active)
    throw refusal(
      `${requested.owner} is not active in Zoom, so LMS Admin cannot create meetings for this account.`,
      'Choose another host, or ask IT Support to check the account in Zoom.',
    );
  const hosts = others(requested.co_hosts ?? [], owner);
  const users = await Promise.all(hosts.map((email) => fresh.user(email, signal)));
  const wrong = hosts.filter((_, index) => !users[index]?.licensed);
  if (wrong.length === 0) return;
  throw refusal(
    `Zoom does not accept ${wrong.join(', ')} as ${wrong.length === 1 ? 'an alternative host' : 'alternative hosts'}.`,
    `Remove ${wrong.length === 1 ? 'the address' : 'these addresses'}, or choose people with a Zoom licence.`,
  );
}

/** Finds the main event of a merge. @throws AppError not-found, bad-request */
export function mainEvent(calendar: Calendar, id: number): Family {
  const main = calendar.of.get(id);
  if (!main) throw new AppError('not-found');
  const title = main.own.event.title;
  const other = 'Choose another main event.';
  if (main.isGuest) throw refusal(`“${title}”: ${guestWords(main.own.event)}`, other);
  if (main.own.event.id !== id) throw refusal(`“${title}” is held separately for each section.`, other);
  const itsMain = mainOf(calendar, main);
  if (itsMain) throw refusal(`“${title}” is itself merged with “${itsMain.own.event.title}”.`, other);
  if (main.own.event.hidden)
    throw refusal(
      `“${title}” is held separately for each section, and each section has its own link.`,
      other,
    );
  const meeting = calendar.meetings.get(main.own.record?.meeting ?? 0);
  if (!meeting || meeting.goneAt !== null)
    throw refusal(
      `“${title}” has no meeting created by LMS Admin.`,
      'Publish it first, or choose another main event.',
    );
  return main;
}

/**
 * Requires a working meeting, since students of the merged events would otherwise get a dead link.
 * @throws AppError bad-request if its meeting cannot be held; ZoomError
 */
export async function requireHeldMain(
  zoom: ZoomClient,
  { own: { event, record } }: Family,
  signal?: AbortSignal,
): Promise<void> {
  const meeting = await zoom.read(record?.meeting ?? 0, signal);
  if (!meeting) throw refusal(`The meeting of “${event.title}” is no longer in Zoom.`, PUBLISH_MAIN);
  const user = await zoom.user(meeting.hostEmail ?? meeting.hostId, signal);
  if (user?.active) return;
  const host = user?.email ?? meeting.hostEmail ?? 'its host';
  throw refusal(
    `The meeting of “${event.title}” cannot take place, because ${host} is not active in Zoom.`,
    PUBLISH_MAIN,
  );
}

/** Returns why an event cannot be merged with the main one; null if it can. */
export function mergeProblem(calendar: Calendar, child: Family, main: Family): string | null {
  if (child.isGuest) return guestWords(child.own.event);
  if (child === main) return 'An event cannot be merged with itself.';
  const its = mainOf(calendar, child);
  if (its !== null && its !== main)
    return `It is already merged with “${its.own.event.title}”. Unmerge it first.`;
  if (childrenOf(calendar, child).length > 0) return 'Other events are merged with it. Unmerge those first.';
  const { event } = child.own;
  // A link can be shown whenever its event is visible; only a locked event is refused.
  return isLocked(event) ? unfit(event) : null;
}

function refusal(message: string, next: string): AppError {
  return new AppError('bad-request', { message, next });
}
