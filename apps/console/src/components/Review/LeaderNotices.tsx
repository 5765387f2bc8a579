import type { GroupLeaders } from '@lms-admin/contract/groups';
import Typography from '@mui/material/Typography';
import { Named } from '../Notice/Named.tsx';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** People who lead a group that a plan removes them from, and those who become leaders again. */
export function LeaderNotices({ of: { who, again: restored, unread } }: { of: GroupLeaders }) {
  return (
    <>
      {who.length > 0 && (
        <Named
          tone="warning"
          title={texts.leadersTitle(who.length)}
          text={texts.leadersText}
          lines={who.map(texts.leaderLine)}
        />
      )}
      {restored.length > 0 && (
        <Named
          tone="warning"
          title={texts.restoredLeadersTitle(restored.length)}
          text={texts.restoredLeadersText}
          lines={restored.map(texts.leaderLine)}
        />
      )}
      {unread > 0 && (
        <Notice tone="warning" title={texts.leadersUnreadTitle(unread)}>
          <Typography>{texts.leadersUnreadText}</Typography>
        </Notice>
      )}
    </>
  );
}
