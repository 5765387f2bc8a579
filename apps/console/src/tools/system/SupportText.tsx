import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SystemOverview, systemSupport } from '@lms-admin/contract/system';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { getJson } from '../../api/client.ts';
import { announce } from '../../components/Announcer.tsx';
import { copyText } from '../../components/copy.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { supportLine } from './browser-view.ts';
import { Part } from './Part.tsx';
import { texts } from './texts.ts';
import { useClocks } from './useSystem.ts';

interface SupportTextProps {
  overview: SystemOverview;
  onSaid: (words: string) => void;
}

/** Everything as one text to pass on: it is shown, so that what is copied can be read. */
export function SupportText({ overview, onSaid }: SupportTextProps) {
  const clocks = useClocks().data ?? null;
  const made = useMutation({
    mutationFn: async () => {
      const { text } = await getJson(ENDPOINTS.systemSupport, systemSupport);
      return `${text}${supportLine(window.location.origin, overview, clocks)}\n`;
    },
  });
  const text = made.data;
  return (
    <Part title={texts.support} about={texts.supportAbout}>
      {made.isError && <ErrorState error={made.error} title={texts.supportFailed} />}
      {text !== undefined && <ReadableText text={text} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {text !== undefined && (
          <Button
            variant="contained"
            onClick={() =>
              void copyText(text).then((copied) =>
                onSaid(copied ? texts.supportCopied : texts.supportNotCopied),
              )
            }
          >
            {texts.supportCopy}
          </Button>
        )}
        <Button
          variant="outlined"
          aria-disabled={made.isPending}
          onClick={() => {
            if (made.isPending) return;
            announce(texts.supportMaking);
            made.mutate();
          }}
        >
          {texts.supportMake}
        </Button>
        {made.isPending && <Typography color="textSecondary">{texts.supportMaking}</Typography>}
      </Box>
    </Part>
  );
}

function ReadableText({ text }: { text: string }) {
  return (
    <Box
      component="textarea"
      readOnly
      aria-label={texts.support}
      value={text}
      rows={14}
      sx={{
        width: '100%',
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'surface.sunken',
        color: 'text.primary',
        fontFamily: 'var(--lms-mono)',
        fontSize: '0.8125rem',
        resize: 'vertical',
      }}
    />
  );
}
