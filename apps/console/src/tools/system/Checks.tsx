import { SYSTEM_CHECKS, type SystemCheck } from '@lms-admin/contract/system';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useProfile } from '../../api/session.ts';
import { RetryIcon } from '../../components/Icons.tsx';
import { clockFormat } from '../../components/moments.ts';
import { FindingList } from './FindingList.tsx';
import { Part, QueryPart } from './Part.tsx';
import { texts } from './texts.ts';
import { useCheck } from './useSystem.ts';

/** The checks of `lms-admin doctor`, each shown when its result arrives. */
export function Checks() {
  const client = useQueryClient();
  const isCheck = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    String(queryKey[1]).includes('/checks/');
  const busy = useIsFetching({ predicate: isCheck }) > 0;
  return (
    <Part title={texts.checks}>
      {SYSTEM_CHECKS.map((check) => (
        <Check key={check} check={check} />
      ))}
      <Box>
        <Button
          variant="outlined"
          startIcon={<RetryIcon size={16} />}
          // Stays focusable: a disabled button would lose the focus.
          aria-disabled={busy}
          onClick={() => {
            if (!busy) void client.refetchQueries({ predicate: isCheck });
          }}
        >
          {texts.retry}
        </Button>
      </Box>
    </Part>
  );
}

function Check({ check }: { check: SystemCheck }) {
  const query = useCheck(check);
  const title = texts.checkTitles[check];
  const { time_zone } = useProfile().userProfile;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3">{title}</Typography>
      <QueryPart title={title} query={query} lines={1}>
        {({ at, findings }) => (
          <>
            <FindingList label={title} findings={findings} />
            <Typography variant="body2" color="textSecondary">
              {texts.seenAt(clockFormat(time_zone, at)(new Date(at).toISOString()))}
            </Typography>
          </>
        )}
      </QueryPart>
    </Box>
  );
}
