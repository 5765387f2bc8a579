import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import type { FocusTarget } from '../../components/Dialogs/types.ts';
import { CourseBody, type CourseBodyProps } from './CourseBody.tsx';
import { texts } from './texts.ts';

interface CourseDialogProps extends CourseBodyProps {
  open: boolean;
  onClose: () => void;
  returnFocus: FocusTarget;
}

/** The full-screen dialog of a course, titled with its code (ZC-04). */
export function CourseDialog({ open, course, from, onFrom, onClose, returnFocus }: CourseDialogProps) {
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      fullScreen
      title={course.course_code || course.name || zoomCreationMessages.courseId(course.id)}
      returnFocus={returnFocus}
      actions={
        <>
          <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto' }}>
            {texts.dialog.kept}
          </Typography>
          <Button variant="outlined" color="inherit" onClick={onClose} sx={{ minWidth: 104 }}>
            {texts.dialog.close}
          </Button>
        </>
      }
    >
      <CourseBody course={course} from={from} onFrom={onFrom} />
    </AppDialog>
  );
}
