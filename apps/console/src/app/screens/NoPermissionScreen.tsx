import { messages } from '@lms-admin/contract/messages';
import Typography from '@mui/material/Typography';
import { WithItSupport } from '../ItSupport.tsx';
import { texts } from '../texts.ts';
import { Screen } from './Screen.tsx';

/** The screen at `/` for an administrator without a tool (SHELL-23, PERM-07). */
export function NoPermissionScreen({ email }: { email: string | null }) {
  return (
    <Screen title={texts.noToolTitle}>
      <Typography variant="subtitle1" component="p">
        <WithItSupport text={messages.shell.noPermission} email={email} />
      </Typography>
    </Screen>
  );
}
