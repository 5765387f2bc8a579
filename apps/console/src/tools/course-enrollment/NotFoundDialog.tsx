import type { Plan } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { CopyIcon, WarningIcon } from '../../components/Icons.tsx';
import { NameList } from '../../components/NameList/NameList.tsx';
import { AlreadyThere } from '../../components/NotFound/AlreadyThere.tsx';
import { CreateThese } from '../../components/NotFound/CreateThese.tsx';
import { notInLms } from './plan-summary.ts';
import { reviewTexts } from './review-texts.ts';

export interface NotFoundDialogProps {
  open: boolean;
  people: Plan['people'];
  /** Whether the plan removes people: no one then has to be created. */
  removes: boolean;
  /** Returns to the email step. */
  onClose: () => void;
  /** Keeps the people who were found; sends nothing. */
  onContinue: () => void;
}

/** The documented dialog 'Users not found' (CE-16 to CE-19, OP-46), with a button to copy all addresses. */
export function NotFoundDialog({ open, people, removes, onClose, onContinue }: NotFoundDialogProps) {
  const { enrollment } = messages;
  const some = people.found > 0;
  const absent = notInLms(people);

  return (
    <AppDialog
      open={open}
      role="alertdialog"
      title={enrollment.notFoundTitle}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      actions={
        <>
          {absent.length > 0 && !removes && <CreateThese emails={absent} sx={{ mr: 'auto' }} />}
          <Button
            variant={some ? 'outlined' : 'contained'}
            color={some ? 'inherit' : 'primary'}
            onClick={onClose}
            autoFocus={!some}
          >
            {enrollment.close}
          </Button>
          {some && (
            <Button variant="contained" onClick={onContinue} autoFocus>
              {enrollment.continue}
            </Button>
          )}
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {absent.length > 0 && <Absent emails={absent} requested={people.asked} removes={removes} />}
        <AlreadyThere people={people.there} />
        {some && (
          <Typography variant="h3" component="p">
            {removes ? reviewTexts.removeTheOthers : enrollment.continueQuestion}
          </Typography>
        )}
      </Box>
    </AppDialog>
  );
}

/** The addresses that no one has, with a button to copy them all. */
function Absent({
  emails,
  requested,
  removes,
}: {
  emails: readonly string[];
  requested: number;
  removes: boolean;
}) {
  const announce = useAnnounce();

  async function copyAll() {
    try {
      await navigator.clipboard.writeText(emails.join('\n'));
      announce(reviewTexts.copied(emails.length));
    } catch {
      // If the browser does not allow copying, the addresses can still be selected by hand.
    }
  }

  return (
    <>
      <Typography>{removes ? reviewTexts.checkAddresses : <TechTeamText />}</Typography>
      <Box>
        <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
          <Typography variant="body2" color="textSecondary">
            {reviewTexts.missingOf(emails.length, requested)}
          </Typography>
          <Button size="small" startIcon={<CopyIcon size={16} />} onClick={() => void copyAll()}>
            {reviewTexts.copyAll}
          </Button>
        </Box>
        <NameList names={emails} label={reviewTexts.missingList} height={200} />
      </Box>
    </>
  );
}

/** The documented sentence, in which the email address of the installation, if set, is a link. */
function TechTeamText() {
  const team = useSettings()?.lms_tech_team_email ?? null;
  const text = messages.enrollment.notFoundText(team);
  if (team === null) return text;
  const [before = '', after = ''] = text.split(team);
  return (
    <>
      {before}
      <Link href={`mailto:${team}`}>{team}</Link>
      {after}
    </>
  );
}
