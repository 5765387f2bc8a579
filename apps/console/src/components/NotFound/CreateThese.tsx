import { toolById } from '@lms-admin/contract/tools';
import Button, { type ButtonProps } from '@mui/material/Button';
import { useNavigate } from 'react-router';
import { useHasTool } from '../../api/session.ts';
import { handOver } from '../Wizard/hand-over.ts';
import { texts } from './texts.ts';

const TOOL = toolById('create-users');

export interface CreateTheseProps extends Pick<ButtonProps, 'variant' | 'size' | 'color' | 'sx'> {
  /** Addresses that no one in the LMS has. */
  emails: readonly string[];
}

/** Opens Create Users with the people who were not found, for administrators who have that tool; nothing for others. */
export function CreateThese({ emails, ...look }: CreateTheseProps) {
  const navigate = useNavigate();
  const isOpen = useHasTool(TOOL.id);
  const { path } = TOOL;
  if (path === null || !isOpen) return null;
  return (
    <Button
      {...look}
      onClick={() => {
        handOver(TOOL.id, emails);
        void navigate(path);
      }}
    >
      {texts.create}
    </Button>
  );
}
