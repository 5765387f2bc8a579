import type { JobSummary } from '@lms-admin/contract/jobs';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { lookUpJobs, useJobSummary } from '../../api/jobs.ts';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { endedSince, titleMark } from './job-news.ts';
import { showNotice } from './notices.ts';
import { setTitleMark } from './page-title.ts';
import { useFollowedAccess } from './useFollowedAccess.ts';

/**
 * Notifies an administrator who is looking elsewhere that work has ended, in the page title and by a browser notice.
 * Also follows changes of the administrator's access.
 */
export function JobNews() {
  const summary = useJobSummary();
  const visible = useVisible();
  const navigate = useNavigate();
  useFollowedAccess(visible);
  const before = useRef<JobSummary | null>(null);
  const [unread, setUnread] = useState<JobSummary['ended']>([]);
  if (visible && unread.length > 0) setUnread([]);

  useEffect(() => {
    if (summary === null || before.current === summary) return;
    const ended = endedSince(before.current, summary);
    const moved = before.current !== null && (ended.length > 0 || before.current.running !== summary.running);
    before.current = summary;
    if (moved) lookUpJobs();
    if (ended.length === 0 || document.visibilityState === 'visible') return;
    setUnread((some) => [...some, ...ended]);
    for (const one of ended) showNotice(one, () => void navigate(`${ACTIVITY_PATH}/${one.id}`));
  }, [summary, navigate]);

  const mark = titleMark(summary?.running ?? 0, unread);
  useEffect(() => {
    setTitleMark(mark);
    return () => setTitleMark('');
  }, [mark]);
  return null;
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const watcher = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', watcher);
    return () => document.removeEventListener('visibilitychange', watcher);
  }, []);
  return visible;
}
