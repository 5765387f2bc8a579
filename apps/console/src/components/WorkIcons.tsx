/** Icons of files and work, separate from those of the first screen. */
import { Icon, type IconProps } from './Icons.tsx';

export const UndoIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 6 4.5 10.5 9 15" />
    <path d="M5 10.5h9.25a5.25 5.25 0 0 1 0 10.5H11" />
  </Icon>
);

/** A file, or a table in a file. */
export const FileIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7 3.75h7l4 4v12.5H7z" />
    <path d="M14 3.75v4h4M10 12.5h5M10 16h5" />
  </Icon>
);

export const UploadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 15.5V5m-4.5 4L12 4.5 16.5 9M4.5 15.5v3a1.5 1.5 0 0 0 1.5 1.5h12a1.5 1.5 0 0 0 1.5-1.5v-3" />
  </Icon>
);

export const DownloadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4.5V15m-4.5-4 4.5 4.5 4.5-4.5M4.5 15.5v3a1.5 1.5 0 0 0 1.5 1.5h12a1.5 1.5 0 0 0 1.5-1.5v-3" />
  </Icon>
);

export const ClockIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5.25l3.25 2" />
  </Icon>
);

/** Running: a partly completed wheel. */
export const RunningIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3.5a8.5 8.5 0 1 1-8.5 8.5" strokeWidth={2.5} />
    <path d="M3.5 12A8.5 8.5 0 0 1 12 3.5" opacity={0.35} />
  </Icon>
);

export const CancelledIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m6.25 6.25 11.5 11.5" />
  </Icon>
);
