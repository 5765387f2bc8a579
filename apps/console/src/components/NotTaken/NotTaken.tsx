import type { NotTaken as Piece } from '@lms-admin/domain/emails';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { WarningIcon } from '../Icons.tsx';
import { NameList } from '../NameList/NameList.tsx';
import { texts } from './texts.ts';

/** In px; a longer list scrolls. */
const HEIGHT = 168;

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 4,
  ...theme.typography.body2,
  '& > .title': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 },
  '& > .title > span': { display: 'flex', gap: 6, color: theme.vars.palette.warning.main },
  '& svg': { flex: 'none', marginTop: 1 },
}));

export interface NotTakenProps {
  pieces: readonly Piece[];
  onDismiss: () => void;
}

/** The invalid lines of a paste, each with the reason; shown until dismissed. */
export function NotTaken({ pieces, onDismiss }: NotTakenProps) {
  if (pieces.length === 0) return null;
  const title = texts.title(pieces.length);
  return (
    <Frame>
      <div className="title">
        <span>
          <WarningIcon size={18} />
          {title}
        </span>
        <Button size="small" onClick={onDismiss}>
          {texts.dismiss}
        </Button>
      </div>
      <NameList names={pieces.map(texts.piece)} label={title} height={HEIGHT} />
    </Frame>
  );
}
