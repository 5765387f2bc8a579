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
  onAnnounce: (words: string) => void;
}

/**
 * The state of the installation as one text to pass on. The text is displayed so that it can be read before it is
 * copied.
 */
export function SupportText({ overview, onAnnounce }: SupportTextProps) {
  const clocks = useClocks().data ?? null;
  const report = useMutation({
    mutationFn: async () => {
      const { text } = await getJson(ENDPOINTS.systemSupport, systemSupport);
      return `${text}${supportLine(window.location.origin, overview, clocks)}\n`;
    },
  });
  const text = report.data;
  return (
    <Part title={texts.support} about={texts.supportAbout}>
      {report.isError && <ErrorState error={report.error} title={texts.supportFailed} />}
      {text !== undefined && <ReadableText text={text} />}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {text !== undefined && (
          <Button
            variant="contained"
            onClick={() =>
              void copyText(text).then((copied) =>
                onAnnounce(copied ? texts.supportCopied : texts.supportNotCopied),
              )
            }
          >
            {texts.supportCopy}
          </Button>
        )}
        <Button
          variant="outlined"
          aria-disabled={report.isPending}
          onClick={() => {
            if (report.isPending) return;
            announce(texts.supportMaking);
            report.mutate();
          }}
        >
          {texts.supportMake}
        </Button>
        {report.isPending && <Typography color="textSecondary">{texts.supportMaking}</Typography>}
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
