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
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CheckIcon } from '../../components/Icons.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { CategoryList } from './CategoryList.tsx';
import { MAX_CATEGORY_NAME, mayCreate, type NewCategory, oddName } from './category-state.ts';
import { focusOn, type PanelProps, PLACES } from './dialog-part.ts';
import { texts } from './texts.ts';
import { useCreateCategory } from './useCreateCategory.ts';

/** 'Create Group Category': the existing categories, and a new one by its name (GRP-08 to GRP-13). */
export function CategoryPanel(props: PanelProps & { category: NewCategory }) {
  const { category, course, categories, dispatch } = props;
  const { name, state } = category;
  const announce = useAnnounce();
  const making = useCreateCategory(category, props);
  // The list, which may have been loaded again in the meantime, may contain the category.
  const isThere = categories.list?.some((one) => sameCategoryName(one.category.name, name)) ?? false;
  useRecreation(props, isThere);
  const odd = state === 'NEW' ? oddWords(course.sis_course_id, name) : null;

  function handleCreate(event: FormEvent) {
    event.preventDefault();
    if (!mayCreate(category)) return;
    if (odd !== null) {
      focusOn('name');
      announce(odd, 'assertive');
      return;
    }
    // The list may be out of date, so the server checks whether the name is in use.
    dispatch({ type: 'category', action: { type: 'create' } });
    making.start();
  }

  function handleName(next: string) {
    making.forget();
    dispatch({ type: 'category', action: { type: 'name', name: next } });
  }

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        component="form"
        onSubmit={handleCreate}
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1.5, mt: 1 }}
      >
        <NameField category={category} odd={odd} onName={handleName}>
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
        </NameField>
        <Button type="submit" variant="contained" disabled={!mayCreate(category)} sx={{ minWidth: 104 }}>
          {words.category.create}
        </Button>
        <Progress state={state} />
      </Box>
      <NotCreated making={making} isThere={isThere} />
      <CategoryList course={course} dispatch={dispatch} categories={categories} />
    </Box>
  );
}

/** Allows a category to be created again if another administrator has deleted it since it was created here. */
function useRecreation(
  { category: { name, state }, categories, dispatch }: Parameters<typeof CategoryPanel>[0],
  isThere: boolean,
): void {
  const wasThere = useRef(state === 'CREATED');
  useEffect(() => {
    if (state !== 'CREATED') wasThere.current = false;
    if (state !== 'CREATED' || categories.list === null) return;
    if (!isThere && wasThere.current) dispatch({ type: 'category', action: { type: 'name', name } });
    wasThere.current = isThere;
  }, [state, isThere, name, categories.list, dispatch]);
}

interface NameFieldProps {
  category: NewCategory;
  odd: string | null;
  onName: (name: string) => void;
  /** The message about the name. */
  children: ReactNode;
}

function NameField({ category: { name, state }, odd, onName, children }: NameFieldProps) {
  const hint = `${PLACES.name}-hint`;
  return (
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
        onChange={(event) => onName(event.target.value)}
      />
      <FormHelperText id={hint} component="div" sx={{ overflowWrap: 'anywhere' }}>
        {children}
      </FormHelperText>
    </FormControl>
  );
}

function Progress({ state }: Pick<NewCategory, 'state'>) {
  return (
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
  );
}

interface NotCreatedProps {
  making: ReturnType<typeof useCreateCategory>;
  /** Whether the list contains a category with this name. */
  isThere: boolean;
}

function NotCreated({ making: { error, unknown }, isThere }: NotCreatedProps) {
  if (unknown) return <ErrorState error={error} title={texts.category.notReached} />;
  if (error === null) return null;
  return (
    <ErrorState error={error} title={isThere ? texts.category.createdWithoutId : texts.category.notCreated} />
  );
}

/** Returns the message about a name that cannot be used for a category. */
function oddWords(sisCourseId: string, name: string): string | null {
  const odd = oddName(sisCourseId, name);
  if (odd === null) return null;
  return odd === 'long' ? texts.category.long : texts.category.converted(name.trim(), odd.converted);
}
