import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { leadingRows, type ReportRow } from '@lms-admin/domain/award-reports';
import Box from '@mui/material/Box';
import { type Theme, useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BarPlot } from '@mui/x-charts/BarChart';
import { ChartsContainer } from '@mui/x-charts/ChartsContainer';
import { ChartsXAxis } from '@mui/x-charts/ChartsXAxis';
import { ChartsYAxis } from '@mui/x-charts/ChartsYAxis';
import { createContext, useContext } from 'react';
import type { AwardChoice } from '../../api/awards.ts';
import { barName, hasTies, type TableRow } from './report-words.ts';
import { texts } from './texts.ts';

/** Heights in px: of a bar with its gap, and of the axis below. */
const BAND = 48;
const AXIS = 48;
/** Width for the names, and about how many letters fit. */
const NARROW = { width: 144, letters: 19 };
const WIDE = { width: 300, letters: 42 };

export interface LeadingChartProps {
  choice: AwardChoice;
  rows: readonly TableRow[];
  /** How many more rows have the same number of votes as the last one shown. */
  asMany: number;
}

/**
 * The top rows as bars with their votes, all in one colour because colour has no meaning here. For screen readers,
 * the chart is one image with a descriptive name; the table above has the same content as text.
 */
export function LeadingChart({ choice, rows, asMany }: LeadingChartProps) {
  const leading = leadingRows(rows).rows;
  const last = leading.at(-1);
  return (
    <Box
      component="section"
      aria-labelledby="award-leading"
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id="award-leading" variant="h2" component="h3">
        {texts.chart.title(leading.length)}
      </Typography>
      {last === undefined ? (
        <Typography color="textSecondary">{texts.chart.none}</Typography>
      ) : (
        <>
          <Bars choice={choice} leading={leading} />
          {hasTies(leading) && <Typography color="textSecondary">{texts.chart.ties}</Typography>}
          {asMany > 0 && <Typography>{texts.chart.asMany(asMany, last.votes)}</Typography>}
        </>
      )}
    </Box>
  );
}

const inColours = ({ text, surface }: Theme['vars']['palette']) => ({
  '& .MuiBarLabel-root': { fill: text.primary, fontWeight: 650 },
  '& .MuiChartsAxis-tickLabel, & .MuiChartsAxis-label': { fill: text.primary },
  '& .MuiChartsAxis-line, & .MuiChartsAxis-tick': { stroke: surface.outline },
});

function Bars({ choice, leading }: { choice: AwardChoice; leading: readonly ReportRow[] }) {
  const { vars } = useTheme();
  const most = useMediaQuery('(max-width: 599.95px)') ? NARROW : WIDE;
  const names = leading.map((row) => barName(choice, row));
  return (
    <Box
      role="img"
      aria-label={texts.chart.summary(leading.map(({ votes }, at) => [names[at]?.join(', ') ?? '', votes]))}
      sx={{ minWidth: 0, color: 'text.primary' }}
    >
      <ChartsContainer
        height={leading.length * BAND + AXIS}
        margin={{ top: 0, right: 48, bottom: 0, left: 0 }}
        // Nothing inside needs the focus: the table has the same content.
        disableKeyboardNavigation
        skipAnimation
        series={[
          {
            type: 'bar',
            layout: 'horizontal',
            data: leading.map(({ votes }) => votes),
            color: vars.palette.secondary.main,
            barLabel: 'value',
            barLabelPlacement: 'outside',
          },
        ]}
        yAxis={[
          {
            id: 'names',
            scaleType: 'band',
            data: leading.map((_, place) => place),
            valueFormatter: String,
            width: most.width,
            categoryGapRatio: 0.35,
            disableTicks: true,
            disableLine: true,
          },
        ]}
        xAxis={[
          {
            id: 'votes',
            min: 0,
            tickMinStep: 1,
            height: AXIS,
            label: awardReportMessages.columns.votes,
          },
        ]}
        sx={inColours(vars.palette)}
      >
        <BarPlot borderRadius={4} skipAnimation />
        <ChartsXAxis axisId="votes" />
        <Names value={names.map((lines) => lines.map((line) => shortened(line, most.letters)))}>
          <ChartsYAxis axisId="names" slots={{ axisTickLabel: BarName }} />
        </Names>
      </ChartsContainer>
    </Box>
  );
}

/** The names of the bars by index: the library would cut off two lines as if they were one. */
const Names = createContext<readonly (readonly string[])[]>([]);

function BarName({ x, y, text }: { x?: number | string; y?: number | string; text: string }) {
  const [first = '', second = ''] = useContext(Names)[Number(text)] ?? [];
  return (
    <text x={x} y={y} textAnchor="end" fontSize={13} fill="currentColor">
      <tspan x={x} dy="-0.3em">
        {first}
      </tspan>
      <tspan x={x} dy="1.3em" fillOpacity={0.8}>
        {second}
      </tspan>
    </text>
  );
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}
