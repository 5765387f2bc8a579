import { styled } from '@mui/material/styles';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { ChevronDownIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';
import { initials } from './names.ts';

// Menus and their positioning are a tenth of the first screen's script, but are rarely opened (about once a day).
const loadMenu = () => import('./AccountMenuList.tsx');
const AccountMenuList = lazy(() => loadMenu().then(({ AccountMenuList: list }) => ({ default: list })));

const Trigger = styled('button')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 44,
  padding: '0 4px',
  border: 0,
  borderRadius: 22,
  background: 'none',
  color: theme.vars.palette.surface.barQuiet,
  font: 'inherit',
  cursor: 'pointer',
  '&:hover': { color: theme.vars.palette.surface.barInk },
  // A phone has no space beside the name.
  '& > svg': { [theme.breakpoints.down('sm')]: { display: 'none' } },
}));

const Face = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 36,
  height: 36,
  borderRadius: '50%',
  overflow: 'hidden',
  backgroundColor: theme.vars.palette.surface.barInk,
  color: '#0b4f3c',
  fontSize: '0.8125rem',
  fontWeight: 700,
  letterSpacing: '0.02em',
  '& img': { width: '100%', height: '100%', objectFit: 'cover' },
}));

/** Picture of the signed-in administrator; initials if it is missing or does not load. */
function Avatar({ name, address }: { name: string; address: string | null }) {
  const [broken, setBroken] = useState(false);
  return (
    <Face aria-hidden="true">
      {address && !broken ? (
        <img src={address} alt="" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
      ) : (
        initials(name)
      )}
    </Face>
  );
}

/** The avatar and its menu with 'Logout' (AUTH-23, SHELL-29). */
export function AccountMenu() {
  const { user, userProfile } = useProfile();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      <Trigger
        ref={trigger}
        type="button"
        aria-label={texts.account(user.name)}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Avatar name={user.name} address={userProfile.avatar_url} />
        <ChevronDownIcon size={16} />
      </Trigger>
      {wanted && (
        <Suspense fallback={null}>
          <AccountMenuList id={id} anchor={trigger} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
