import type { SystemOverview } from '@lms-admin/contract/system';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { momentFormat } from '../../components/moments.ts';
import { addressFindings, clockFindings } from './browser-view.ts';
import { FindingList } from './FindingList.tsx';
import { Part, QueryPart } from './Part.tsx';
import { texts } from './texts.ts';
import { useClocks } from './useSystem.ts';

/** Host and https as seen by the browser and the server, and the headers added by the proxy. */
export function Connection({ overview }: { overview: SystemOverview }) {
  const { seen } = overview;
  const names = texts.connectionFacts;
  return (
    <Part title={texts.connection}>
      <FindingList label={texts.connection} findings={addressFindings(window.location.origin, overview)} />
      <Facts
        label={texts.connection}
        facts={[
          [names.opened, window.location.origin],
          [names.origin, seen.origin],
          [names.host, seen.host],
          [names.protocol, seen.protocol],
          [names.address, seen.address],
          [names.peer, seen.peer],
        ]}
      />
      <Typography variant="h3">{texts.headers}</Typography>
      {seen.headers.length === 0 ? (
        <Typography color="textSecondary">{texts.noHeaders}</Typography>
      ) : (
        <Facts label={texts.headers} facts={seen.headers.map(({ name, value }) => [name, value] as const)} />
      )}
    </Part>
  );
}

/** The clocks of browser, server and database at the same moment. */
export function ClocksPart() {
  const query = useClocks();
  const { time_zone } = useProfile().userProfile;
  const moment = momentFormat(time_zone);
  const shown = (at: number) => {
    const iso = new Date(at).toISOString();
    return `${moment(iso)}:${iso.slice(17, 19)}`;
  };
  return (
    <Part title={texts.clocks}>
      <QueryPart title={texts.clocks} query={query}>
        {(clocks) => (
          <>
            <Facts
              label={texts.clocks}
              facts={[
                [texts.browser, shown(clocks.browser)],
                [texts.server, shown(clocks.server)],
                [texts.database, shown(clocks.database)],
              ]}
            />
            <FindingList label={texts.clocks} findings={clockFindings(clocks)} />
          </>
        )}
      </QueryPart>
    </Part>
  );
}
