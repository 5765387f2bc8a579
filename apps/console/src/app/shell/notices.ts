/** Browser notices when work ends: only on request, and remembered for this browser. */
import type { JobSummary } from '@lms-admin/contract/jobs';
import { APP_NAME } from '@lms-admin/domain/constants';
import { toolName } from '../../components/Job/job-words.ts';
import { texts as words } from '../../components/Job/texts.ts';
import { texts } from '../texts.ts';

const WANTED = 'lms-admin:notices';

/** `blocked`: the browser does not allow notices, and only its own settings can change that. */
export type Notices = 'on' | 'off' | 'blocked' | 'none';

/** Tells whether notices are shown; `none` in a browser without them. */
export function noticesNow(): Notices {
  if (!('Notification' in window)) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && wanted() ? 'on' : 'off';
}

/** Turns notices on, which may ask for permission, or off. */
export async function setNotices(on: boolean): Promise<Notices> {
  remember(on);
  if (on && Notification.permission === 'default') await Notification.requestPermission();
  return noticesNow();
}

/** Shows that a job has ended, once for all open tabs. Pressing the notice opens the job. */
export function showNotice(one: JobSummary['ended'][number], onPress: () => void): void {
  if (noticesNow() !== 'on') return;
  const { id, label, outcome, tool } = one;
  try {
    const notice = new Notification(`${words.states[outcome ?? 'done']}: ${label}`, {
      body: `${toolName(tool, { 'award-import': texts.awardImport })} · ${APP_NAME}`,
      icon: '/favicon.svg',
      tag: id,
    });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
      onPress();
    });
  } catch {
    // Phone browsers show notices only through a service worker. The title and the top bar show the result in any case.
  }
}

function wanted(): boolean {
  try {
    return localStorage.getItem(WANTED) === 'on';
  } catch {
    return false;
  }
}

function remember(on: boolean): void {
  try {
    if (on) localStorage.setItem(WANTED, 'on');
    else localStorage.removeItem(WANTED);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
