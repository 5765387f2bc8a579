import Button from '@mui/material/Button';
import { outOfSight } from '../Announcer.tsx';

export interface FilePickerProps {
  /** ID of the field, for the focus after a warning. */
  id: string;
  label: string;
  /** File types that the browser offers first, as in the attribute. */
  accept: string;
  /** Whether this is the next button to press, which is then highlighted. */
  primary: boolean;
  /** Whether several files can be chosen together. */
  multiple?: boolean;
  onFiles: (files: FileList | null) => void;
}

/** The browser's file input, styled as a button: Tab reaches it, Space opens it. */
export function FilePicker({ id, label, accept, primary, multiple = false, onFiles }: FilePickerProps) {
  return (
    <Button
      component="label"
      variant={primary ? 'contained' : 'outlined'}
      color={primary ? 'primary' : 'inherit'}
      // The input inside has the focus and the name.
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
          // Cleared, because the same file may be chosen again after a correction.
          event.target.value = '';
        }}
      />
    </Button>
  );
}
