import { stateWords } from '@lms-admin/domain/enrollment-states';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { RetryIcon } from '../Icons.tsx';
import { Named } from '../Notice/Named.tsx';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { focusStep } from '../Wizard/focus-step.ts';
import { texts } from './texts.ts';

export interface FailedLookupsProps {
  /** Email addresses or SIS IDs whose lookup failed; an empty list shows nothing. */
  names: readonly string[];
  text: string;
  onReplan: () => void;
}

/** People who could not be looked up, which says nothing about them (CE-22, OP-48). */
export function FailedLookups({ onReplan, ...of }: FailedLookupsProps) {
  return <NotLookedUp {...of} action={<RepeatButton label={texts.repeatLookup} onPress={onReplan} />} />;
}

interface NotLookedUpProps extends Pick<FailedLookupsProps, 'names' | 'text'> {
  action?: ReactNode;
}

/** The notice about people who could not be looked up, after submission: they cannot be looked up again. */
export function NotLookedUp({ names, text, action }: NotLookedUpProps) {
  if (names.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={texts.failedTitle(counted(names.length, 'person', 'people'))}
      {...(action === undefined ? {} : { action })}
    >
      <Typography>{text}</Typography>
      <ShortList items={names} more={texts.more} />
    </Notice>
  );
}

export interface UnreadProps {
  /** What could not be read, each with its reason; an empty list shows nothing. */
  items: readonly string[];
  /** The number with its noun, such as '2 courses'. */
  count: string;
  text: string;
  onReplan: () => void;
}

/** Courses or sections whose enrolments could not be read. */
export function Unread({ items, count, text, onReplan }: UnreadProps) {
  if (items.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={texts.unreadTitle(count)}
      action={<RepeatButton label={texts.recompare} onPress={onReplan} />}
    >
      <Typography>{text}</Typography>
      <ShortList items={items} more={texts.more} />
    </Notice>
  );
}

export interface LeftOutProps {
  items: readonly { name: string; reason: string }[];
  count: string;
  onReplan: () => void;
}

/** Requested changes that are not possible now: the LMS did not answer, or for a reason that may be temporary. */
export function LeftOut({ items, count, onReplan }: LeftOutProps) {
  if (items.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={texts.leftOutTitle(count)}
      action={<RepeatButton label={texts.repeatReview} onPress={onReplan} />}
    >
      <ShortList items={items.map(({ name, reason }) => texts.leftOut(name, reason))} more={texts.more} />
    </Notice>
  );
}

export interface NotRestorableProps {
  /** People whom undo would not be able to restore, with their course or section; an empty list shows nothing. */
  people: readonly { person: string; state: string; where: string }[];
}

/** People whom undo would not be able to restore after this change, since no row can set their current state. */
export function NotRestorable({ people }: NotRestorableProps) {
  if (people.length === 0) return null;
  return (
    <Named
      tone="warning"
      title={texts.unrestorableTitle(people.length)}
      text={texts.unrestorableText}
      lines={people.map(({ person, state, where }) => texts.unrestorable(person, stateWords(state), where))}
    />
  );
}

export interface SectionsToNameProps {
  sections: readonly { course: string; section: string; sisId: string }[];
  /** Label of the button that sets the IDs. */
  button: string;
}

/** Sections that get an SIS ID when the review is submitted (LMS-14, OP-51). */
export function SectionsToName({ sections, button }: SectionsToNameProps) {
  if (sections.length === 0) return null;
  return (
    <Notice tone="info" title={texts.sectionsTitle(counted(sections.length, 'section', 'sections'))}>
      <Typography>{texts.sectionsText(button)}</Typography>
      <ShortList
        items={sections.map(({ course, section, sisId }) => (
          <span key={sisId}>
            {course}, {section}:{' '}
            <Box component="code" sx={{ fontFamily: 'var(--lms-mono)', fontSize: '0.9em' }}>
              {sisId}
            </Box>
          </span>
        ))}
        more={texts.more}
      />
    </Notice>
  );
}

/** Notice that this review was submitted from another tab, with a link to the result. */
export function SentElsewhere({ onFollow }: { onFollow: () => void }) {
  return (
    <Notice
      tone="warning"
      title={texts.sentTitle}
      action={
        <Button size="small" variant="outlined" color="inherit" onClick={onFollow}>
          {texts.sentFollow}
        </Button>
      }
    >
      <Typography>{texts.sentText}</Typography>
    </Notice>
  );
}

/** Button that compares again. */
export function RepeatButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      startIcon={<RetryIcon size={16} />}
      onClick={() => {
        // The button disappears with its notice.
        focusStep();
        onPress();
      }}
    >
      {label}
    </Button>
  );
}
