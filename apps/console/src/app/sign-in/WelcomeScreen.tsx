import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { messages } from '@lms-admin/contract/messages';
import { APP_NAME } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useSettings } from '../../api/queries.ts';
import { outOfSight } from '../../components/Announcer.tsx';
import { WarningIcon } from '../../components/Icons.tsx';
import { WithItSupport } from '../ItSupport.tsx';
import { Footer } from '../shell/Footer.tsx';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import { texts } from '../texts.ts';
import { EntryFrame } from './EntryFrame.tsx';
import type { SignInError } from './sign-in-error.ts';

/** Returns the address that starts sign-in and returns to the requested page (AUTH-05, OP-07). */
function loginAddress(): string {
  const { pathname, search, hash } = window.location;
  return `${ENDPOINTS.login}?${new URLSearchParams({ return: `${pathname}${search}${hash}` })}`;
}

/** The page shown without a session: the product name and one button (AUTH-02 to AUTH-04). */
export function WelcomeScreen({ error }: { error: SignInError | null }) {
  const settings = useSettings();
  useEffect(() => {
    document.title = APP_NAME;
  }, []);
  return (
    <EntryFrame
      practice={settings?.practice ?? false}
      notice={<OfflineNotice />}
      footer={
        <Footer
          institution={settings?.institution ?? null}
          guide={settings?.guide_url ?? '/guide/index.html'}
        />
      }
    >
      {error && <SignInRefused error={error} email={settings?.it_support_email ?? null} />}
      <Typography variant="h1" sx={{ fontSize: { xs: '1.75rem', sm: '2.25rem' }, lineHeight: 1.15 }}>
        {messages.welcome.heading}
      </Typography>
      <Typography variant="subtitle1" component="p" color="textSecondary">
        {texts.tagline}
      </Typography>
      <Button
        variant="contained"
        size="large"
        sx={{ mt: 1, justifySelf: 'start', minHeight: 48, px: 3 }}
        onClick={() => window.location.assign(loginAddress())}
      >
        {texts.signIn}
      </Button>
      <Typography variant="body2" color="textSecondary">
        {texts.signInHint}
      </Typography>
    </EntryFrame>
  );
}

/** Why the last sign-in failed, and what to do. */
function SignInRefused({ error, email }: { error: SignInError; email: string | null }) {
  return (
    <Box
      role="alert"
      sx={{
        display: 'flex',
        gap: 1.5,
        p: 2,
        mb: 1,
        border: 1,
        borderColor: 'warning.main',
        borderRadius: 1,
        bgcolor: 'surface.warning',
      }}
    >
      <WarningIcon color="var(--lms-palette-warning-main)" style={{ flex: 'none', marginTop: 2 }} />
      <div>
        <Typography variant="h3" component="p">
          <span>{error.heading}</span>
          {/* The two lines are read aloud and copied as separate sentences (OP-10). */}
          {!error.heading.endsWith('.') && <span style={outOfSight}>. </span>}
        </Typography>
        <Typography>
          <WithItSupport text={error.body} email={email} />
        </Typography>
      </div>
    </Box>
  );
}
