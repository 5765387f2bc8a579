import type { GroupLeaders } from '@lms-admin/contract/groups';
import Typography from '@mui/material/Typography';
import { Named } from '../Notice/Named.tsx';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** People who lead a group that they leave by a plan, and those who lead one again. */
export function LeaderNotices({ of: { who, again, unread } }: { of: GroupLeaders }) {
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
      {again.length > 0 && (
        <Named
          tone="warning"
          title={texts.leadersAgainTitle(again.length)}
          text={texts.leadersAgainText}
          lines={again.map(texts.leaderLine)}
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
