import type { SystemOverview } from '@lms-admin/contract/system';
import Box from '@mui/material/Box';
import { Facts } from '../../components/Facts.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { Toasts } from '../../components/Toast/Toasts.tsx';
import { useToasts } from '../../components/Toast/useToasts.ts';
import { Checks } from './Checks.tsx';
import { ClocksPart, Connection } from './Connection.tsx';
import { DirectoryPart } from './DirectoryPart.tsx';
import { Part } from './Part.tsx';
import { SupportText } from './SupportText.tsx';
import { ErrorsPart, KeptPart, OutsidePart, StoragePart } from './Tables.tsx';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';
import { useOverview } from './useSystem.ts';
import { WorkPart } from './WorkPart.tsx';

/** The state of the installation, for the people who run it (a screen that is not in the specification). */
export default function System() {
  const overview = useOverview();
  const { toasts, show, close } = useToasts();
  const say = (words: string) => void show(words, 'info');
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ScreenHead title={texts.title} purpose={texts.purpose} />
      {overview.isPending ? (
        <Skeletons lines={6} />
      ) : overview.isError ? (
        <ErrorState error={overview.error} title={texts.openFailed} onRetry={() => void overview.refetch()} />
      ) : (
        <>
          <About overview={overview.data} />
          <WorkPart onAnnounce={say} />
          <DirectoryPart onAnnounce={say} />
          <Checks />
          <Connection overview={overview.data} />
          <ClocksPart />
          <OutsidePart />
          <StoragePart />
          <KeptPart />
          <ErrorsPart />
          <SupportText overview={overview.data} onAnnounce={say} />
        </>
      )}
      <Toasts toasts={toasts} onClose={close} />
    </Box>
  );
}

function About({ overview }: { overview: SystemOverview }) {
  const moment = useMoment();
  const { facts, modes, databases } = texts;
  return (
    <Part title={texts.about}>
      <Facts
        label={texts.about}
        facts={[
          [facts.version, overview.version],
          [facts.node, overview.node],
          [facts.mode, modes[overview.mode]],
          [facts.database, databases[overview.database]],
          [facts.started, moment(overview.startedAt)],
        ]}
      />
    </Part>
  );
}
