/** The icons of the console, drawn on a 24 px grid with a line of 1.75; decorative, so each is next to a text. */
import type { ReactNode, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'children'> {
  /** Width and height in px. */
  size?: number;
}

/** The frame of every icon. */
export function Icon({ size = 20, children, ...rest }: IconProps & { children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
    >
      {children}
    </svg>
  );
}

export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="11" cy="11" r="6.25" />
    <path d="m16 16 4.25 4.25" />
  </Icon>
);

export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6.5 6.5 11 11m0-11-11 11" />
  </Icon>
);

export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);

/** Warning: amber. */
export const WarningIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4.25 21 19.5H3z" />
    <path d="M12 10v4.25M12 16.9v.1" />
  </Icon>
);

/** Stop: brick red. */
export const StopIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7z" />
    <path d="M12 8v4.75M12 16v.1" />
  </Icon>
);

export const InfoIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11.25V16M12 8v.1" />
  </Icon>
);

export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
    <path d="M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
  </Icon>
);

export const AllToolsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 5h4v4H5zM15 5h4v4h-4zM5 15h4v4H5zM15 15h4v4h-4z" />
  </Icon>
);

export const ChevronDownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6.5 9.5 5.5 5.5 5.5-5.5" />
  </Icon>
);

export const ChevronLeftIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M14.5 6.5 9 12l5.5 5.5" />
  </Icon>
);

export const ChevronRightIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9.5 6.5 15 12l-5.5 5.5" />
  </Icon>
);

/** Both directions of a sortable column. */
export const SortIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m8 10 4-4.25L16 10M8 14l4 4.25L16 14" />
  </Icon>
);

export const SortUpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 18.5v-13m-5 5 5-5 5 5" />
  </Icon>
);

export const SortDownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 5.5v13m-5-5 5 5 5-5" />
  </Icon>
);

/** Marks a link to another site in another window. */
export const OutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 5.5H6.5a1.5 1.5 0 0 0-1.5 1.5v10.5a1.5 1.5 0 0 0 1.5 1.5H17a1.5 1.5 0 0 0 1.5-1.5V14M13.5 4.75h5.75v5.75M19 5l-8 8" />
  </Icon>
);

export const GuideIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 7.25C10 5.5 7.25 5 4 5.25v12.5c3.25-.25 6 .25 8 2 2-1.75 4.75-2.25 8-2V5.25C16.75 5 14 5.5 12 7.25zm0 0v12.5" />
  </Icon>
);

export const OfflineIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 4.5 20 20M8.5 15a5 5 0 0 1 4-1.45M5.5 11.5A9.5 9.5 0 0 1 9 9.25m5-.55a9.5 9.5 0 0 1 4.5 2.8M12 18.5v.1" />
  </Icon>
);

export const RetryIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15" />
  </Icon>
);

/** Activity: lines with their marks. */
export const ActivityIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 12.5h4l2.75-7 4 13 2.5-6h3.75" />
  </Icon>
);
