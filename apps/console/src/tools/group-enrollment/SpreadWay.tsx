import type { Group } from '@lms-admin/contract/canvas-objects';
import { SPREADS, type Spread } from '@lms-admin/contract/groups';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { Named } from '../../components/Notice/Named.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { CategorySelect } from './CategorySelect.tsx';
import type { Categories } from './categories-query.ts';
import type { MembersPart } from './course-work.ts';
import { texts } from './texts.ts';

export interface SpreadWayProps {
  part: Pick<MembersPart, 'category' | 'by' | 'onlyUnassigned'>;
  categories: Categories;
  onCategory: (category: number | null) => void;
  onChange: (change: { by?: Spread; onlyUnassigned?: boolean }) => void;
}

/** Tells whether a group can be filled: without an SIS ID, no file can name it. */
const canBeFilled = (group: Group) => group.sis_group_id !== null;
const optionOf = (name: string, groups: readonly Group[]) =>
  texts.spread.option(name, groups.filter(canBeFilled).length, groups.length);

/** Distributes the students of the course among the groups of a category, as a proposal. */
export function SpreadWay({ part, categories, onCategory, onChange }: SpreadWayProps) {
  const { by, onlyUnassigned, category } = part;
  const chosen = categories.list?.find((one) => one.category.id === category);
  const unfilled = (chosen?.groups ?? []).filter((one) => !canBeFilled(one));
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex' }}>
        <CategorySelect
          id="group-spread-category"
          label={texts.spread.category}
          none={texts.groups.choose}
          categories={categories}
          value={category}
          onChange={onCategory}
          option={optionOf}
        />
      </Box>
      {chosen?.groups?.length === 0 && <Notice tone="warning" title={texts.spread.noGroups} />}
      {unfilled.length > 0 && (
        <Named
          tone="warning"
          title={texts.spread.unfilledTitle(unfilled.length)}
          text={texts.spread.unfilledText(unfilled.length, onlyUnassigned)}
          lines={unfilled.map(({ name }) => name)}
        />
      )}
      <SpreadChoice by={by} onChange={(next) => onChange({ by: next })} />
      <Box>
        <FormControlLabel
          label={texts.spread.only}
          control={
            <Checkbox
              checked={onlyUnassigned}
              onChange={(_, on) => onChange({ onlyUnassigned: on })}
              slotProps={{ input: { 'aria-describedby': 'group-spread-only' } }}
            />
          }
        />
        <Typography id="group-spread-only" variant="body2" color="textSecondary" sx={{ pl: 4 }}>
          {texts.spread.onlyHint}
        </Typography>
      </Box>
    </Box>
  );
}

function SpreadChoice({ by, onChange }: { by: Spread; onChange: (by: Spread) => void }) {
  return (
    <FormControl>
      <FormLabel id="group-spread-by">{texts.spread.by}</FormLabel>
      <RadioGroup
        aria-labelledby="group-spread-by"
        value={by}
        onChange={(_, value) => {
          const next = SPREADS.find((one) => one === value);
          if (next) onChange(next);
        }}
      >
        {SPREADS.map((one) => {
          const [name, hint] = texts.spread.names[one];
          return (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio />}
              label={
                <>
                  {name}
                  <Typography component="span" color="textSecondary">
                    {' '}
                    – {hint}
                  </Typography>
                </>
              }
            />
          );
        })}
      </RadioGroup>
    </FormControl>
  );
}
