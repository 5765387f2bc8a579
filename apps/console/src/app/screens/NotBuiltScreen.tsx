import Typography from '@mui/material/Typography';
import { WithItSupport } from '../ItSupport.tsx';
import { texts } from '../texts.ts';
import { Screen } from './Screen.tsx';

/** A tool that this admin may use once it is there. Says so, and where the work can be done until then. */
export function NotBuiltScreen({ title, email }: { title: string; email: string | null }) {
  return (
    <Screen title={title}>
      <Typography variant="subtitle1" component="p">
        {texts.notBuiltTitle}
      </Typography>
      <Typography color="textSecondary">
        <WithItSupport text={texts.notBuilt} email={email} />.
      </Typography>
    </Screen>
  );
}
