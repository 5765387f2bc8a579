import { messages } from '@lms-admin/contract/messages';
import { OWN_ACCESS_PATH } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { type RefObject, useState } from 'react';
import { Link } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { signOut } from '../sign-out.ts';
import { texts } from '../texts.ts';

interface AccountMenuListProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onClose: () => void;
}

/** The name of the signed-in administrator, and Logout. */
export function AccountMenuList({ id, anchor, open, onClose }: AccountMenuListProps) {
  const { user, sub_account } = useProfile();
  const [leaving, setLeaving] = useState(false);
  return (
    <Menu
      anchorEl={() => anchor.current}
      // Rendered inside the header, so that the name belongs to a landmark.
      container={() => anchor.current?.closest('header') ?? document.body}
      open={open}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        list: { id, 'aria-label': texts.account(user.name), sx: { py: 0.5 } },
        paper: { sx: { minWidth: 240, mt: 0.5 } },
      }}
    >
      <Box role="none" sx={{ px: 2, py: 1, mb: 0.5, borderBottom: 1, borderColor: 'divider' }}>
        <Box sx={{ fontWeight: 650 }}>{user.name}</Box>
        <Box sx={{ color: 'text.secondary', typography: 'body2', overflowWrap: 'anywhere' }}>
          {sub_account.email}
        </Box>
      </Box>
      <MenuItem component={Link} to={OWN_ACCESS_PATH} sx={{ minHeight: 40 }} onClick={onClose}>
        {texts.ownAccess}
      </MenuItem>
      <MenuItem
        disabled={leaving}
        sx={{ minHeight: 40 }}
        onClick={() => {
          setLeaving(true);
          void signOut();
        }}
      >
        {leaving ? `${texts.signingOut} …` : messages.shell.logout}
      </MenuItem>
    </Menu>
  );
}
