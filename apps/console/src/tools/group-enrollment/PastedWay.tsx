import { MAX_MEMBER_TEXT } from '@lms-admin/contract/groups';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { Notice } from '../../components/Notice/Notice.tsx';
import { CategorySelect } from './CategorySelect.tsx';
import type { Categories } from './categories-query.ts';
import { texts } from './texts.ts';

export interface PastedWayProps {
  text: string;
  onText: (text: string) => void;
  categories: Categories;
  category: number | null;
  onCategory: (category: number | null) => void;
}

const ID = 'group-pasted';

/** People and groups as two columns of a spreadsheet. */
export function PastedWay({ text, onText, categories, category, onCategory }: PastedWayProps) {
  const [cut, setCut] = useState(false);
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <FormControl>
        <InputLabel htmlFor={ID}>{texts.pasted.label}</InputLabel>
        <OutlinedInput
          id={ID}
          label={texts.pasted.label}
          value={text}
          multiline
          minRows={5}
          maxRows={12}
          aria-describedby={`${ID}-hint`}
          inputProps={{ spellCheck: false, style: { fontFamily: 'var(--lms-mono)', fontSize: '0.8125rem' } }}
          onChange={(event) => {
            setCut(event.target.value.length > MAX_MEMBER_TEXT);
            onText(event.target.value.slice(0, MAX_MEMBER_TEXT));
          }}
        />
        <FormHelperText id={`${ID}-hint`}>{texts.pasted.hint}</FormHelperText>
      </FormControl>
      {cut && <Notice tone="warning" title={texts.pasted.tooLong(MAX_MEMBER_TEXT)} />}
      <Box sx={{ display: 'flex' }}>
        <CategorySelect
          id="group-pasted-category"
          label={texts.pasted.category}
          none={texts.pasted.anyCategory}
          categories={categories}
          value={category}
          onChange={onCategory}
        />
      </Box>
    </Box>
  );
}
