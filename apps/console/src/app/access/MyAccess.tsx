import { OWN_ACCESS_PATH } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownAccessQuery } from '../../api/access.ts';
import { AccessFacts } from '../../components/AccessFacts/AccessFacts.tsx';
import { useAnnounce } from '../../components/Announcer.tsx';
import { copyText } from '../../components/copy.ts';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';

/** The signed-in administrator's own access, and a text for requesting more. */
export function MyAccess() {
  const query = useQuery(ownAccessQuery);
  const { data } = query;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ScreenHead title={texts.title} purpose={texts.purpose} />
      <Paper
        aria-busy={query.isPending}
        sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {query.isError && (
          <ErrorState error={query.error} title={texts.failed} onRetry={() => void query.refetch()} />
        )}
        {data && <AccessFacts level="h2" access={data} />}
        {data && <Request login={data.login} />}
      </Paper>
    </Box>
  );
}

function Request({ login }: { login: string }) {
  const [text, setText] = useState(() => texts.request(login, `${window.location.origin}${OWN_ACCESS_PATH}`));
  const [copied, setCopied] = useState<boolean | null>(null);
  const announce = useAnnounce();

  async function handleCopy() {
    const done = await copyText(text);
    setCopied(done);
    if (done) announce(texts.copied);
  }

  return (
    <Box component="section" aria-label={texts.more} sx={{ display: 'grid', gap: 1.5 }}>
      <Typography variant="h2">{texts.more}</Typography>
      <Typography>{texts.moreNext}</Typography>
      <TextField
        multiline
        minRows={6}
        label={texts.text}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Button variant="outlined" onClick={() => void handleCopy()}>
          {texts.copy}
        </Button>
        {copied !== null && <span>{copied ? texts.copied : texts.notCopied}</span>}
      </Box>
    </Box>
  );
}
