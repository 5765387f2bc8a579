import { messages } from '@lms-admin/contract/messages';
import { OWN_ACCESS_PATH, type Tool, toolAt } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { wasLost } from '../shell/lost-tools.ts';
import { toolsOf } from '../shell/place.ts';
import { texts } from '../texts.ts';
import { texts as words } from './not-found-texts.ts';
import { Screen } from './Screen.tsx';

/** Shown for a path that does not exist for this administrator (SHELL-19, OP-19). A recently lost tool is named. */
export function NotFoundScreen() {
  const tool = toolAt(useLocation().pathname);
  if (tool && wasLost(tool.id)) return <LostTool tool={tool} />;
  return (
    <Screen title={messages.shell.notFound}>
      <Typography color="textSecondary">{words.next}</Typography>
      <Button variant="contained" component={Link} to="/">
        {words.toHome}
      </Button>
    </Screen>
  );
}

function LostTool({ tool }: { tool: Tool }) {
  const left = toolsOf(useProfile().sub_account, null).filter(({ path }) => path !== null);
  return (
    <Screen title={words.title(tool.tab ?? texts.system)}>
      <Typography color="textSecondary">{words.what}</Typography>
      {left.length === 0 ? (
        <Typography>{words.none}</Typography>
      ) : (
        <>
          <Typography id="tools-left">{words.left}</Typography>
          <Box component="ul" aria-labelledby="tools-left" sx={{ m: 0, pl: 2.5, textAlign: 'left' }}>
            {left.map(({ id, tab, path }) => (
              <li key={id}>
                <MuiLink component={Link} to={path ?? '/'}>
                  {tab ?? (id === 'system' ? texts.system : texts.awardImport)}
                </MuiLink>
              </li>
            ))}
          </Box>
        </>
      )}
      <Button variant="contained" component={Link} to={OWN_ACCESS_PATH}>
        {texts.ownAccess}
      </Button>
    </Screen>
  );
}
