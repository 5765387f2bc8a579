import type { FoundCourse } from '@lms-admin/contract/course-search';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../Announcer.tsx';
import { CheckIcon } from '../Icons.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { type CourseSearch, choiceText, isRefused } from './course-search.ts';
import { texts } from './texts.ts';

export interface CourseFieldProps {
  id: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (text: string) => void;
  search: CourseSearch;
  /** Why the content of the field cannot be used; null if it can. */
  refused?: string | null;
  /** Whether Enter goes to the next step of the tool. */
  goesOn?: boolean;
}

/** The field that names one course by number, address, SIS ID or part of its name, with the courses found. */
export function CourseField(props: CourseFieldProps) {
  const { id, label, hint = texts.hint, value, onChange, search, refused = null, goesOn = false } = props;
  const lms = useSettings()?.lms_url ?? null;
  const enter = goesOn ? { 'data-goes-on': '' } : {};
  return (
    <Box
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)', width: '100%', maxWidth: 560 }}
    >
      <TextField
        id={id}
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        helperText={refused ?? hint}
        error={refused !== null}
        fullWidth
        slotProps={{
          htmlInput: { maxLength: 2_000, autoComplete: 'off', spellCheck: false, ...enter },
          formHelperText: refused === null ? {} : { role: 'alert' },
        }}
      />
      <Found
        search={search}
        // If the content cannot be used, the field itself says so.
        isNoneShown={refused !== null}
        onChoose={(course) => {
          onChange(choiceText(course, search.courses, lms));
          // The button disappears with the list.
          document.getElementById(id)?.focus();
        }}
      />
    </Box>
  );
}

interface FoundProps {
  search: CourseSearch;
  isNoneShown: boolean;
  onChoose: (course: FoundCourse) => void;
}

function Found({ search, isNoneShown, onChoose }: FoundProps) {
  const { courses, more, looking, error, number, retry } = search;
  const [only] = courses;
  const none = isNoneShown ? null : search.none;
  const heard =
    courses.length > 1 ? texts.found(courses.length, more) : only ? texts.course(only) : (none ?? '');
  const announce = useAnnounce();
  useEffect(() => {
    if (heard !== '') announce(heard);
  }, [heard, announce]);
  if (looking) return <Typography color="textSecondary">{texts.looking}</Typography>;
  if (error !== null)
    return isRefused(error) ? (
      <ErrorState error={error} reference={false} />
    ) : (
      <ErrorState error={error} title={texts.failed} onRetry={retry} />
    );
  if (none !== null) return <Typography color="textSecondary">{none}</Typography>;
  if (courses.length > 1) return <Choices courses={courses} more={more} onChoose={onChoose} />;
  return only !== undefined && number === only.id ? <Only course={only} /> : null;
}

function Choices({
  courses,
  more,
  onChoose,
}: Pick<CourseSearch, 'courses' | 'more'> & Pick<FoundProps, 'onChoose'>) {
  return (
    <Box>
      <Typography>{texts.found(courses.length, more)}</Typography>
      <Box
        component="ul"
        aria-label={texts.found(courses.length, more)}
        sx={{ m: 0, mt: 0.5, p: 0, listStyle: 'none', maxHeight: 320, overflowY: 'auto' }}
      >
        {courses.map((course) => (
          <li key={course.id}>
            <Button
              color="inherit"
              fullWidth
              onClick={() => onChoose(course)}
              sx={{ display: 'block', textAlign: 'left', whiteSpace: 'normal', overflowWrap: 'anywhere' }}
            >
              {texts.course(course)}
              <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                {texts.details(course)}
              </Typography>
            </Button>
          </li>
        ))}
      </Box>
    </Box>
  );
}

function Only({ course }: { course: FoundCourse }) {
  return (
    <Typography sx={{ display: 'flex', gap: 0.75, overflowWrap: 'anywhere' }}>
      <Box component="span" sx={{ color: 'success.main', lineHeight: 0, pt: '2px', flex: 'none' }}>
        <CheckIcon size={18} />
      </Box>
      <span>
        {texts.course(course)}{' '}
        <Typography component="span" variant="body2" color="textSecondary">
          {texts.details(course)}
        </Typography>
      </span>
    </Typography>
  );
}
