import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { AppDialog } from '../Dialogs/AppDialog.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { texts } from './texts.ts';

export interface ListedPerson {
  name: string;
  email: string;
  sisId: string;
  /** Text for the person's change. */
  change: string;
}

export interface UserListDialogProps {
  open: boolean;
  /** The course or section of the list. */
  of: string;
  /** Null while the people are loading. Keep the array's identity between renders. */
  people: readonly ListedPerson[] | null;
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}

/** Height in px of the list. */
const HEIGHT = 300;
const none: readonly ListedPerson[] = [];
const rowKey = (person: ListedPerson) => `${person.sisId} ${person.email}`;
const columns: readonly Column<ListedPerson>[] = [
  { id: 'name', header: texts.name, value: (person) => person.name, minWidth: 150 },
  {
    id: 'email',
    header: texts.email,
    value: (person) => person.email,
    width: '36%',
    minWidth: 300,
    wrap: true,
  },
  { id: 'id', header: texts.id, value: (person) => person.sisId, kind: 'id', width: '18%', minWidth: 120 },
  {
    id: 'change',
    header: texts.change,
    value: (person) => person.change,
    width: '18%',
    minWidth: 128,
    wrap: true,
  },
];

/** The documented dialog 'User List' of one course (CE-13); searchable, renders only the visible rows. */
export function UserListDialog({ open, of, people, error, onRetry, onClose }: UserListDialogProps) {
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      maxWidth="lg"
      title={messages.enrollment.userList}
      actions={
        <Button variant="contained" autoFocus onClick={onClose}>
          {messages.enrollment.close}
        </Button>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {of}
      </Typography>
      {error === null ? (
        <Box>
          <DataTable<ListedPerson, string>
            label={messages.enrollment.userList}
            rows={people ?? none}
            columns={columns}
            rowKey={rowKey}
            search
            height={HEIGHT}
            loading={people === null}
            empty={texts.empty}
          />
        </Box>
      ) : (
        <ErrorState error={error} title={texts.failed} onRetry={onRetry} />
      )}
    </AppDialog>
  );
}
