import { groupEnrollmentMessages as words } from '@lms-admin/contract/messages/group-enrollment';
import { categorySisId, sameCategoryName } from '@lms-admin/domain/groups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type FormEvent, useEffect, useRef } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CheckIcon } from '../../components/Icons.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { CategoryList } from './CategoryList.tsx';
import { MAX_CATEGORY_NAME, mayCreate, type NewCategory, oddName } from './category-state.ts';
import { focusOn, type PanelProps, PLACES } from './dialog-part.ts';
import { texts } from './texts.ts';
import { useCreateCategory } from './useCreateCategory.ts';

/** 'Create Group Category': what the course has, and a new one by its name (GRP-08 to GRP-13). */
export function CategoryPanel(props: PanelProps & { category: NewCategory }) {
  const { category, course, categories, dispatch } = props;
  const { name, state } = category;
  const announce = useAnnounce();
  const making = useCreateCategory(category, props);
  const hint = `${PLACES.name}-hint`;
  // The list has been read again since.
  const isThere = categories.list?.some((one) => sameCategoryName(one.category.name, name)) ?? false;
  // One that was made, and that somebody has deleted since, can be made again.
  const wasThere = useRef(state === 'CREATED');
  useEffect(() => {
    if (state !== 'CREATED') wasThere.current = false;
    if (state !== 'CREATED' || categories.list === null) return;
    if (!isThere && wasThere.current) dispatch({ type: 'category', action: { type: 'name', name } });
    wasThere.current = isThere;
  }, [state, isThere, name, categories.list, dispatch]);
  const odd = state === 'NEW' ? oddWords(course.sis_course_id, name) : null;

  function handleCreate(event: FormEvent) {
    event.preventDefault();
    if (!mayCreate(category)) return;
    if (odd !== null) {
      focusOn('name');
      announce(odd, 'assertive');
      return;
    }
    // The list may be old: the server looks whether the name is taken.
    dispatch({ type: 'category', action: { type: 'create' } });
    making.start();
  }

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        component="form"
        onSubmit={handleCreate}
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1.5, mt: 1 }}
      >
        <FormControl
          error={state === 'ERROR_NAME' || odd !== null}
          size="small"
          sx={{ flex: '1 1 280px', maxWidth: 480 }}
        >
          <InputLabel htmlFor={PLACES.name}>{texts.category.name}</InputLabel>
          <OutlinedInput
            id={PLACES.name}
            label={texts.category.name}
            value={name}
            readOnly={state === 'CREATING'}
            autoComplete="off"
            aria-describedby={hint}
            inputProps={{ maxLength: MAX_CATEGORY_NAME, spellCheck: false }}
            onChange={(event) => {
              making.forget();
              dispatch({ type: 'category', action: { type: 'name', name: event.target.value } });
            }}
          />
          <FormHelperText id={hint} component="div" sx={{ overflowWrap: 'anywhere' }}>
            {state === 'ERROR_NAME' ? (
              [words.category.duplicate, making.hint].filter(Boolean).join(' ')
            ) : odd !== null ? (
              odd
            ) : name.trim() === '' || state === 'CREATED' ? (
              ' '
            ) : (
              <>
                {texts.category.willGet} <code>{categorySisId(course.sis_course_id, name)}</code>
              </>
            )}
          </FormHelperText>
        </FormControl>
        <Button type="submit" variant="contained" disabled={!mayCreate(category)} sx={{ minWidth: 104 }}>
          {words.category.create}
        </Button>
        <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 40 }}>
          {state === 'CREATING' && <CircularProgress size={24} aria-label={texts.category.creating} />}
          {state === 'CREATED' && (
            <>
              <Box component="span" sx={{ color: 'success.main', lineHeight: 0 }}>
                <CheckIcon />
              </Box>
              <Typography component="span">{words.category.created}</Typography>
            </>
          )}
        </Box>
      </Box>
      {making.unknown ? (
        <ErrorState error={making.error} title={texts.category.notReached} />
      ) : (
        making.error !== null && (
          <ErrorState
            error={making.error}
            title={isThere ? texts.category.madeWithoutId : texts.category.notMade}
          />
        )
      )}
      <CategoryList course={course} dispatch={dispatch} categories={categories} />
    </Box>
  );
}

/** What is said of a name that no category can have. */
function oddWords(sisCourseId: string, name: string): string | null {
  const odd = oddName(sisCourseId, name);
  if (odd === null) return null;
  return odd === 'long' ? texts.category.long : texts.category.made(name.trim(), odd.made);
}
