import { messages } from '@lms-admin/contract/messages';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { texts } from '../texts.ts';
import { Screen } from './Screen.tsx';

/** Any path that does not exist for this admin (SHELL-19, OP-19). */
export function NotFoundScreen() {
  return (
    <Screen title={messages.shell.notFound}>
      <Typography color="textSecondary">{texts.notFoundNext}</Typography>
      <Button variant="contained" component={Link} to="/">
        {texts.toHome}
      </Button>
    </Screen>
  );
}
