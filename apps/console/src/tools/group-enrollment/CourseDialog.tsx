import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import type { FocusTarget } from '../../components/Dialogs/types.ts';
import { CategoryPanel } from './CategoryPanel.tsx';
import { CourseImports } from './CourseImports.tsx';
import { useCategories } from './categories-query.ts';
import type { CourseWork, Panel as PanelId } from './course-work.ts';
import type { DialogPart } from './dialog-part.ts';
import { GroupsPanel } from './GroupsPanel.tsx';
import { MembersPanel, type MembersPanelProps } from './MembersPanel.tsx';
import { Panel } from './Panel.tsx';
import { texts } from './texts.ts';

type Given = Pick<MembersPanelProps, 'file' | 'fileText' | 'pasted' | 'onFile' | 'onPasted'>;

export interface CourseDialogProps extends DialogPart, Given {
  open: boolean;
  work: CourseWork;
  onClose: () => void;
  returnFocus: FocusTarget;
}

const words = groupEnrollmentMessages;
const TAB = 'group-tab';

/** The full-screen dialog of a course: a category, its groups, and their members (GRP-07). */
export function CourseDialog(props: CourseDialogProps) {
  const { open, course, work, dispatch, onClose, returnFocus } = props;
  const categories = useCategories(course.id, open);
  const part = { course, dispatch, categories };
  const count = categories.list?.length ?? 0;
  const panel = (id: PanelId) => ({
    id,
    open: work.open.includes(id),
    onToggle: (on: boolean) => dispatch({ type: 'open', panel: id, on }),
  });
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      fullScreen
      title={course.name}
      returnFocus={returnFocus}
      actions={<Actions onClose={onClose} />}
    >
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {words.header(course.sis_course_id, course.term)}
        </Typography>
        <CourseImports course={course.id} open={open} work={work} dispatch={dispatch} />
        <Tabs value={0} aria-label={texts.dialog.tabs} sx={{ borderBottom: 1, borderColor: 'divider' }}>
          <Tab label={words.tab} id={TAB} aria-controls={`${TAB}-panel`} />
        </Tabs>
        <Box
          role="tabpanel"
          id={`${TAB}-panel`}
          aria-labelledby={TAB}
          sx={{ display: 'grid', gap: 2, pb: 2 }}
        >
          <Panel
            {...panel('category')}
            title={words.category.title}
            note={count === 0 ? '' : counted(count, 'category', 'categories')}
          >
            <CategoryPanel {...part} category={work.category} />
          </Panel>
          <Panel {...panel('groups')} title={words.groups.title}>
            <GroupsPanel {...part} part={work.groups} />
          </Panel>
          <Panel {...panel('members')} title={words.members.title}>
            <MembersPanel
              {...part}
              part={work.members}
              file={props.file}
              fileText={props.fileText}
              pasted={props.pasted}
              onFile={props.onFile}
              onPasted={props.onPasted}
            />
          </Panel>
        </Box>
      </Box>
    </AppDialog>
  );
}

function Actions({ onClose }: Pick<CourseDialogProps, 'onClose'>) {
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto' }}>
        {texts.dialog.kept}
      </Typography>
      <Button variant="contained" onClick={onClose} sx={{ minWidth: 104 }}>
        {texts.dialog.close}
      </Button>
    </>
  );
}
