/**
 * Icons that only this tool needs: a separate file keeps them out of the first script. Drawn in the style of the
 * console's icons.
 */
import { Icon } from '../../components/Icons.tsx';

interface IconProps {
  size?: number;
}

/** Keeps the size of an icon in a line with text. */
const IN_LINE = { flex: 'none' } as const;

/** Visible to students. */
export const SeenIcon = ({ size = 18 }: IconProps) => (
  <Icon size={size} style={IN_LINE}>
    <path d="M2.75 12S6 5.75 12 5.75 21.25 12 21.25 12 18 18.25 12 18.25 2.75 12 2.75 12z" />
    <circle cx="12" cy="12" r="2.75" />
  </Icon>
);

/** Hidden from students. */
export const UnseenIcon = ({ size = 18 }: IconProps) => (
  <Icon size={size} style={IN_LINE}>
    <path d="M9.6 6.1A9.6 9.6 0 0 1 12 5.75C18 5.75 21.25 12 21.25 12a16 16 0 0 1-2.7 3.5M6.2 7.9A15.6 15.6 0 0 0 2.75 12S6 18.25 12 18.25a9 9 0 0 0 4.3-1.1" />
    <path d="m4 4 16 16" />
  </Icon>
);

/** Several events in one meeting. */
export const MergedIcon = ({ size = 18 }: IconProps) => (
  <Icon size={size} style={IN_LINE}>
    <path d="M6 4v4a4 4 0 0 0 4 4h8M6 20v-4a4 4 0 0 1 4-4" />
    <path d="m14.75 8.75 3.25 3.25-3.25 3.25" />
  </Icon>
);

/** Leaves the meeting of another event. */
export const UnmergeIcon = ({ size = 18 }: IconProps) => (
  <Icon size={size} style={IN_LINE}>
    <path d="M4 12h5l6-6h5M9 12l6 6h5" />
    <path d="m17.5 3.5 2.75 2.5-2.75 2.5M17.5 15.5l2.75 2.5-2.75 2.5" />
  </Icon>
);

/** A meeting with video. */
export const MeetingIcon = ({ size = 18 }: IconProps) => (
  <Icon size={size} style={IN_LINE}>
    <rect x="3" y="6.5" width="12.5" height="11" rx="2.5" />
    <path d="m15.5 10.75 5-2.75v8l-5-2.75z" />
  </Icon>
);
