import Button from '@mui/material/Button';
import { outOfSight } from '../Announcer.tsx';

export interface FilePickerProps {
  /** Id of the field, for the focus after a warning. */
  id: string;
  label: string;
  /** What the browser offers at first, as in the attribute. */
  accept: string;
  /** Whether it is the next thing to press. */
  primary: boolean;
  /** Whether several can be chosen at once. */
  multiple?: boolean;
  onFiles: (files: FileList | null) => void;
}

/** The file input of the browser, dressed as a button: Tab reaches it, Space opens it. */
export function FilePicker({ id, label, accept, primary, multiple = false, onFiles }: FilePickerProps) {
  return (
    <Button
      component="label"
      variant={primary ? 'contained' : 'outlined'}
      color={primary ? 'primary' : 'inherit'}
      // The input inside is what takes the focus and the name.
      role={undefined}
      tabIndex={-1}
      sx={{
        '&:has(input:focus-visible)': {
          outline: (theme) => `3px solid ${theme.vars.palette.surface.focus}`,
          outlineOffset: '2px',
        },
      }}
    >
      {label}
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        style={outOfSight}
        onChange={(event) => {
          onFiles(event.target.files);
          // The same file, corrected in the meantime, may be chosen again.
          event.target.value = '';
        }}
      />
    </Button>
  );
}
